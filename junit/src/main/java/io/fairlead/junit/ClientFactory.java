package io.fairlead.junit;

import java.io.File;
import java.lang.reflect.InvocationTargetException;
import java.util.Optional;

/// Makes the clients of other libraries, where a test has them: by reflection, so that any version
/// will do and none is needed.
enum ClientFactory {
  FABRIC8("io.fabric8.kubernetes.client.KubernetesClient") {
    @Override
    AutoCloseable client(ClassLoader loader, TestCluster cluster)
        throws ReflectiveOperationException {
      Class<?> type = loader.loadClass("io.fabric8.kubernetes.client.Config");
      Object config =
          type.getMethod("fromKubeconfig", File.class).invoke(null, cluster.kubeconfig().toFile());
      type.getMethod("setNamespace", String.class).invoke(config, cluster.namespace());
      Class<?> builder = loader.loadClass("io.fabric8.kubernetes.client.KubernetesClientBuilder");
      Object filled =
          builder
              .getMethod("withConfig", type)
              .invoke(builder.getDeclaredConstructor().newInstance(), config);
      return (AutoCloseable) builder.getMethod("build").invoke(filled);
    }
  },
  OFFICIAL("io.kubernetes.client.openapi.ApiClient") {
    @Override
    Object client(ClassLoader loader, TestCluster cluster) throws ReflectiveOperationException {
      return loader
          .loadClass("io.kubernetes.client.util.Config")
          .getMethod("fromConfig", String.class)
          .invoke(null, cluster.kubeconfig().toString());
    }
  };

  private static final String APIS = "io.kubernetes.client.openapi.apis.";

  private final String type;

  ClientFactory(String type) {
    this.type = type;
  }

  abstract Object client(ClassLoader loader, TestCluster cluster)
      throws ReflectiveOperationException;

  /// Which of them gives what a parameter wants.
  static Optional<ClientFactory> of(Class<?> wanted) {
    if (wanted.getName().startsWith(APIS)) {
      return Optional.of(OFFICIAL);
    }
    for (ClientFactory each : values()) {
      if (wanted.getName().equals(each.type)) {
        return Optional.of(each);
      }
    }
    return Optional.empty();
  }

  /// What a parameter of that type gets from a client of this library.
  Object fit(Class<?> wanted, Object client) {
    if (wanted.isInstance(client)) {
      return client;
    }
    try {
      return wanted.getConstructor(client.getClass()).newInstance(client);
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException(wanted + " cannot be made of " + client.getClass(), e);
    }
  }

  /// A new client, and its end where it has one.
  StoredValue.Made<Object> make(Class<?> wanted, TestCluster cluster) {
    ClassLoader loader = wanted.getClassLoader();
    try {
      Object client = client(loader, cluster);
      return new StoredValue.Made<>(client, client instanceof AutoCloseable end ? end : null);
    } catch (InvocationTargetException e) {
      throw new IllegalStateException("no client of " + name() + ": " + e.getCause(), e);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(
          "this version of the library of " + type + " is not understood: " + e, e);
    }
  }
}
