package io.fairlead.bench.store;

import io.fairlead.bench.api.Processes;
import io.fairlead.store.CommitResult;
import io.fairlead.store.Range;
import io.fairlead.store.Store;
import io.fairlead.store.StoreException;
import io.fairlead.store.Write;
import io.fairlead.store.embedded.EmbeddedStore;
import io.fairlead.store.etcd.EtcdOptions;
import io.fairlead.store.etcd.EtcdStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// One of the project's engines, driven through the contract they share.
final class EngineUnderTest implements StoreUnderTest {
  private static final long READY_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final String name;
  private final Opener opener;
  private final List<Process> processes = new ArrayList<>();
  private @Nullable Store store;

  private interface Opener {
    Store open(Path directory, List<Process> processes) throws IOException;
  }

  private EngineUnderTest(String name, Opener opener) {
    this.name = name;
    this.opener = opener;
  }

  static EngineUnderTest embedded() {
    return new EngineUnderTest("embedded", (directory, _) -> EmbeddedStore.open(directory));
  }

  /// An etcd of its own for every run, with its defaults.
  static EngineUnderTest etcd() {
    return new EngineUnderTest("etcd", EngineUnderTest::startEtcd);
  }

  static boolean etcdIsInstalled() {
    return Stream.of(System.getenv("PATH").split(":"))
        .anyMatch(each -> Files.isExecutable(Path.of(each, "etcd")));
  }

  private static Store startEtcd(Path directory, List<Process> processes) throws IOException {
    String client = "http://127.0.0.1:" + Processes.freePort();
    String peer = "http://127.0.0.1:" + Processes.freePort();
    Process process =
        Processes.start(
            directory.resolve("etcd.log"),
            List.of(
                "etcd",
                "--data-dir=" + directory.resolve("etcd"),
                "--listen-client-urls=" + client,
                "--advertise-client-urls=" + client,
                "--listen-peer-urls=" + peer,
                "--initial-advertise-peer-urls=" + peer,
                "--initial-cluster=default=" + peer,
                "--logger=zap",
                "--log-level=error"));
    processes.add(process);
    long until = System.nanoTime() + READY_NANOS;
    while (true) {
      try {
        return EtcdStore.open(EtcdOptions.of(List.of(client)));
      } catch (StoreException e) {
        if (!process.isAlive() || System.nanoTime() > until) {
          throw new IOException(
              "etcd did not start: " + Files.readString(directory.resolve("etcd.log")), e);
        }
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
      }
    }
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void start(Path directory) throws IOException {
    try {
      store = opener.open(directory, processes);
    } catch (IOException e) {
      Processes.stop(processes);
      throw e;
    }
  }

  @Override
  public void write(String key, byte[] value) {
    CommitResult outcome = store().commit(List.of(new Write.Put(key, value, Write.ABSENT)));
    if (!(outcome instanceof CommitResult.Committed)) {
      throw new IllegalStateException(key + ": " + outcome);
    }
  }

  @Override
  public long count(byte[] value) {
    return store().range(Range.all("/")).entries().stream()
        .filter(entry -> Arrays.equals(entry.value(), value))
        .count();
  }

  private Store store() {
    if (store == null) {
      throw new IllegalStateException("not started");
    }
    return store;
  }

  @Override
  public void close() {
    store().close();
    store = null;
    Processes.stop(processes);
    processes.clear();
  }
}
