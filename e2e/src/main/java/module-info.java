/// Whole-system tests; everything is in the test sources. See README.md.
module io.fairlead.e2e {
  requires static org.jspecify;
  requires io.fairlead.app;
  requires java.net.http;
}
