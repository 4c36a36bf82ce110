package io.fairlead.app;

import io.fairlead.server.component.ComponentPage;
import io.fairlead.store.Store;
import io.fairlead.store.testing.MemoryStore;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Parts that listen and remember being closed, and fail where a test wants them to.
public final class FakeComponentFactory implements ComponentFactory {
  public final List<String> closed = new ArrayList<>();
  public @Nullable RuntimeException storeFailure;
  public @Nullable RuntimeException serverFailure;
  public @Nullable RuntimeException controllersFailure;
  public @Nullable RuntimeException dnsFailure;

  @Override
  public Store store(Options options) {
    if (storeFailure != null) {
      throw storeFailure;
    }
    return new MemoryStore();
  }

  @Override
  public Server server(Options options, Store store) {
    if (serverFailure != null) {
      throw serverFailure;
    }
    try {
      Path pki = Files.createDirectories(options.server().pki());
      for (String file : List.of("ca.crt", "admin.crt", "admin.key")) {
        try (InputStream in = FakeComponentFactory.class.getResourceAsStream("/pki/" + file)) {
          Files.write(pki.resolve(file), Objects.requireNonNull(in).readAllBytes());
        }
      }
      ServerSocket socket =
          new ServerSocket(
              options.server().securePort(),
              1,
              InetAddress.getByName(options.server().bindAddress()));
      return new Server() {
        @Override
        public int port() {
          return socket.getLocalPort();
        }

        @Override
        public void mount(String path, ComponentPage page) {}

        @Override
        public void close() {
          closed.add("server");
          try {
            socket.close();
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        }
      };
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public AutoCloseable controllers(Options options, Server server) {
    if (controllersFailure != null) {
      throw controllersFailure;
    }
    return () -> closed.add("controllers");
  }

  @Override
  public Proxy proxy(Options options, Server server) {
    return new Proxy() {
      @Override
      public String mode() {
        return "pretended";
      }

      @Override
      public String dump() {
        return "all it knows";
      }

      @Override
      public void close() {
        closed.add("proxy");
      }
    };
  }

  @Override
  public String loadBalancer(Options options) {
    return "10.112.0.0/24";
  }

  @Override
  public Component dns(Options options, Server server) {
    if (dnsFailure != null) {
      throw dnsFailure;
    }
    return () -> closed.add("dns");
  }
}
