/// See README.md.
module io.fairlead.e2e {
  requires static org.jspecify;
}
