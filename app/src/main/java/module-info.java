/// The command line and the wiring of the parts. See README.md.
module io.fairlead.app {
  requires static org.jspecify;
  requires io.fairlead.api;
  requires io.fairlead.client;
  requires info.picocli;

}
