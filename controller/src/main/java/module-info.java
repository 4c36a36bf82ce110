/// See README.md.
module io.fairlead.controller {
  requires static org.jspecify;
}
