package io.fairlead.bench.store;

import java.io.IOException;
import java.nio.file.Path;

/// Something that makes a value durable, driven by many threads at once.
interface StoreUnderTest extends AutoCloseable {
  String name();

  /// Begins a run in an empty directory.
  void start(Path directory) throws Exception;

  /// Makes one value durable under that key before it returns.
  void write(String key, byte[] value) throws Exception;

  /// How many keys hold exactly that value; a run where that is not what was written is void.
  long count(byte[] value) throws Exception;

  /// Ends the run.
  @Override
  void close() throws IOException;
}
