package io.fairlead.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;

/// One section of the specification's vectors, run against one server: each vector is a row, and
/// none may be missing.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class VectorTable {
  private final String prefix;
  private final int last;
  TestServer server;

  /// @param prefix what the ids begin with
  /// @param last the number of the last
  VectorTable(String prefix, int last) {
    this.prefix = prefix;
    this.last = last;
  }

  /// The server that the rows use.
  TestServer open() throws Exception {
    return TestServer.start();
  }

  abstract Vectors table();

  @BeforeAll
  void start() throws Exception {
    server = open();
  }

  @AfterAll
  void stop() {
    server.close();
  }

  @TestFactory
  Stream<DynamicTest> vectors() {
    return table().tests();
  }

  @Test
  void everyVectorHasARow() {
    assertThat(table().missing(prefix, last)).isEmpty();
  }
}
