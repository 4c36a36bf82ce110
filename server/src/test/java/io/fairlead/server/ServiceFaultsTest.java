package io.fairlead.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.server.TestServer.Answer;
import io.fairlead.store.CommitResult;
import io.fairlead.store.StoreException;
import io.fairlead.store.Write;
import io.fairlead.store.testing.MemoryStore;
import io.fairlead.work.testing.FuzzRun;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

/// Services and the claims of their addresses and ports stay together, whatever happens between.
class ServiceFaultsTest {
  private static final List<String> CIDR = List.of("10.0.0.0/16");
  private static final String PORTS = "30000-32767";
  private static final Logger QUIET = Logger.getLogger(RequestChain.class.getName());

  /// S29: a write of an address that is not a write of its Service cannot be, because both are one
  /// commit. So a kill is a commit that was done or not done, and no client learns which.
  static void everyCommitMayBeTheLast() throws Exception {
    // A store that fails is worth a line with a stack trace each time, but not here.
    QUIET.setLevel(Level.OFF);
    try {
      killAndCheck();
    } finally {
      QUIET.setLevel(null);
    }
  }

  private static void killAndCheck() throws Exception {
    Random random = new Random(FuzzRun.SEED);
    try (MemoryStore store = new MemoryStore()) {
      try (TestServer server =
          TestServer.start(new Failing(store, random), CIDR, PORTS, false, 34)) {
        TestServices services = new TestServices(server);
        for (int i = 0; i < 1000; i++) {
          String name = "s" + random.nextInt(200);
          if (random.nextInt(3) == 0) {
            services.delete(name);
          } else {
            services.create(name, random.nextBoolean() ? "" : "'type':'NodePort'");
          }
        }
      }
      try (TestServer server = TestServer.start(new SharedStore(store), CIDR, PORTS, false, 34)) {
        assertThat(server.get("/api/v1/services").json().path("items").size())
            .as("seed " + FuzzRun.SEED)
            .isGreaterThan(20);
        TestServices.checkClaims(server, store);
      }
    }
  }

  @Test
  void twoServersNeverGiveTheSameTwice() throws Exception {
    try (MemoryStore store = new MemoryStore();
        TestServer one = TestServer.start(new SharedStore(store), CIDR, "30000-30199", false, 34);
        TestServer two = TestServer.start(new SharedStore(store), CIDR, "30000-30199", false, 34)) {
      List<String> made = new ArrayList<>();
      inParallel(
          16,
          client -> {
            TestServices services = new TestServices(client % 2 == 0 ? one : two);
            for (int i = 0; i < 20; i++) {
              String name = "c" + client + "-" + i;
              // Some wish for what others wish for too, some for what cannot be. The ports wished
              // for are among those that no Service gets by chance while there are others.
              String spec =
                  switch (i % 4) {
                    case 0 -> "'type':'NodePort'";
                    case 1 -> "'clusterIP':'10.0.0." + (20 + i) + "'";
                    case 2 -> "'type':'NodePort','selector':{'-bad-':'x'}";
                    default ->
                        "'type':'NodePort','ports':[{'port':80,'nodePort':"
                            + (30000 + i / 2)
                            + "}]";
                  };
              Answer answer = services.create(name, spec);
              assertThat(answer.code()).as(answer.text()).isIn(201, 422);
              if (answer.code() == 201) {
                synchronized (made) {
                  made.add(name);
                }
              }
            }
          });
      // Each of the ten contested values went to exactly one.
      assertThat(made).hasSize(16 * 5 + 10);
      TestServices.checkClaims(one, store);
      TestServices.checkClaims(two, store);
      List<String> names = List.copyOf(made);
      inParallel(
          4,
          client -> {
            TestServices services = new TestServices(client % 2 == 0 ? one : two);
            for (int i = client; i < names.size(); i += 4) {
              assertThat(services.delete(names.get(i)).code()).isEqualTo(200);
            }
          });
      TestServices.checkClaims(one, store);
      assertThat(one.get(TestServices.ADDRESSES).json().path("items").size()).isEqualTo(1);
    }
  }

  @Test
  void claimsThatAreMissingOrLeftOverAreMended() throws Exception {
    try (MemoryStore store = new MemoryStore();
        TestServer server = TestServer.start(new SharedStore(store), CIDR, PORTS, false, 34)) {
      TestServices services = new TestServices(server);
      Answer made = services.made("ports", "'type':'NodePort'");
      int port = TestServices.nodePort(made);
      commit(store, new Write.Delete("/registry/nodeports/" + port, Write.ANY));
      commit(
          store,
          leaked("/registry/nodeports/31999", "{\"namespace\":\"default\",\"service\":\"x\"}"));
      commit(
          store,
          leaked(
              "/registry/ipaddresses/10.0.9.9",
              "{\"kind\":\"IPAddress\",\"apiVersion\":\"networking.k8s.io/v1\",\"metadata\":{"
                  + "\"name\":\"10.0.9.9\",\"creationTimestamp\":\"2020-01-01T00:00:00Z\","
                  + "\"labels\":{\"ipaddress.kubernetes.io/managed-by\":\"ipallocator.k8s.io\"}},"
                  + "\"spec\":{\"parentRef\":{\"resource\":\"services\",\"namespace\":\"default\","
                  + "\"name\":\"x\"}}}"));
      await()
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(() -> TestServices.checkClaims(server, store));
      await()
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(
              () ->
                  assertThat(server.get("/api/v1/namespaces/default/events").text())
                      .contains("PortNotAllocated", "IPAddressNotAllocated"));
    }
  }

  private static Write leaked(String key, String value) {
    return new Write.Put(key, value.getBytes(StandardCharsets.UTF_8), Write.ABSENT);
  }

  private static void commit(MemoryStore store, Write write) {
    assertThat(store.commit(List.of(write))).isInstanceOf(CommitResult.Committed.class);
  }

  private interface Client {
    void run(int number) throws Exception;
  }

  private static void inParallel(int clients, Client client) throws Exception {
    try (ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Callable<Boolean>> tasks = new ArrayList<>();
      for (int i = 0; i < clients; i++) {
        int number = i;
        tasks.add(
            () -> {
              client.run(number);
              return true;
            });
      }
      for (Future<Boolean> done : pool.invokeAll(tasks, 120, TimeUnit.SECONDS)) {
        assertThat(done.get()).isTrue();
      }
    }
  }

  /// A store under which the machine dies now and then: before a commit, or right after it.
  private static final class Failing extends SharedStore {
    /// Those of this test; the server's own Service is none of them.
    private static final String KEYS = "/registry/services/specs/default/s";

    private final Random random;

    Failing(MemoryStore store, Random random) {
      super(store);
      this.random = random;
    }

    @Override
    public synchronized CommitResult commit(List<Write> writes) {
      boolean services = writes.stream().anyMatch(write -> write.key().startsWith(KEYS));
      int chance = services ? random.nextInt(4) : 0;
      if (chance == 1) {
        throw new StoreException("killed before the commit", null);
      }
      CommitResult outcome = super.commit(writes);
      if (chance == 2) {
        throw new StoreException("killed after the commit", null);
      }
      return outcome;
    }
  }
}
