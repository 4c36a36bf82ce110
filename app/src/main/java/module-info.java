/// See README.md.
module io.fairlead.app {
  requires static org.jspecify;
}
