/// See README.md.
module io.fairlead.bench {
  requires static org.jspecify;
  requires io.fairlead.store;
}
