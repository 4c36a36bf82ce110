/// A Kubernetes API with its controllers in a JUnit test. See README.md.
module io.fairlead.junit {
  requires static org.jspecify;
  requires java.logging;
  requires transitive java.net.http;
  requires transitive org.junit.jupiter.api;

  exports io.fairlead.junit;
}
