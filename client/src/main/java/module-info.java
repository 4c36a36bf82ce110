/// See README.md.
module io.fairlead.client {
  requires static org.jspecify;
}
