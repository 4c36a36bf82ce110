package io.fairlead.app.command;

import io.fairlead.api.json.Json;
import io.fairlead.client.Client;
import io.fairlead.client.ClientConfig;
import io.fairlead.client.DeleteOptions;
import io.fairlead.client.ListOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.PatchType;
import io.fairlead.client.ResourceType;
import io.fairlead.client.WatchOptions;
import io.fairlead.client.WatchStream;
import io.fairlead.client.tls.ClientIdentity;
import io.fairlead.client.tls.Trust;
import io.fairlead.client.transport.ApiRequest;
import io.fairlead.client.transport.HttpTransport;
import io.fairlead.client.transport.SocketTransport;
import io.fairlead.client.transport.Transport;
import io.fairlead.http.tls.PemParser;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import tools.jackson.databind.node.ObjectNode;

/// What clients ask of a server, so that the JVM learns which classes that takes.
final class ApiServerExercise {
  private static final int SERVICES = 20;
  private static final int LISTS = 2;
  private static final int CONNECTIONS = 3;
  private static final String NAMESPACE = "default";
  private static final String TABLE =
      "application/json;as=Table;v=v1;g=meta.k8s.io,application/json";
  private static final ResourceType TYPE = new ResourceType("", "v1", "services", "Service", true);

  private ApiServerExercise() {}

  /// Uses the server at that port as its administrator.
  static void run(int port, Path pki) throws IOException, GeneralSecurityException {
    ClientConfig connection =
        ClientConfig.of(
            URI.create("https://127.0.0.1:" + port),
            new Trust.Certificates(
                PemParser.certificates(Files.readAllBytes(pki.resolve("ca.crt")))),
            new ClientIdentity.ClientCertificate(
                PemParser.certificates(Files.readAllBytes(pki.resolve("admin.crt"))),
                PemParser.privateKey(Files.readAllBytes(pki.resolve("admin.key")))));
    try (Client kept = new Client(new HttpTransport(connection, "fairlead-training"))) {
      String version = kept.list(TYPE, NAMESPACE, ListOptions.ALL).resourceVersion();
      try (WatchStream events =
          kept.watch(TYPE, NAMESPACE, WatchOptions.from(version, Duration.ofSeconds(60)))) {
        for (int number = 0; number < SERVICES; number++) {
          life(kept, "s" + number);
          events.next();
        }
      }
      for (int number = 0; number < LISTS; number++) {
        kept.list(TYPE, "", ListOptions.ALL);
        kept.raw(ApiRequest.get("/api/v1/services").accepting(TABLE));
      }
      kept.raw(ApiRequest.get("/openapi/v2"));
      kept.raw(ApiRequest.get("/apis"));
    }
    Transport single = new SocketTransport(connection, "fairlead-training");
    for (int number = 0; number < CONNECTIONS; number++) {
      single.send(ApiRequest.get(TYPE.path(new ObjectKey(NAMESPACE, "kubernetes"))));
    }
  }

  private static void life(Client client, String name) {
    ObjectKey key = new ObjectKey(NAMESPACE, name);
    client.create(TYPE, NAMESPACE, service(name));
    ObjectNode read = client.get(TYPE, key);
    switch (name.charAt(name.length() - 1)) {
      case '1' -> client.update(TYPE, labelled(read));
      case '2' -> client.apply(TYPE, labelled(service(name)), "fairlead-training", true);
      case '3' -> client.patch(TYPE, key, PatchType.MERGE, labelled(service(name)));
      case '4' -> client.delete(TYPE, key, DeleteOptions.DEFAULT);
      default -> {}
    }
  }

  private static ObjectNode labelled(ObjectNode object) {
    Json.child(Json.child(object, "metadata"), "labels").put("round", "two");
    return object;
  }

  private static ObjectNode service(String name) {
    ObjectNode object = Json.object().put("kind", "Service").put("apiVersion", "v1");
    object.putObject("metadata").put("name", name).put("namespace", NAMESPACE);
    ObjectNode spec = object.putObject("spec");
    spec.putObject("selector").put("app", name);
    spec.putArray("ports").addObject().put("port", 80);
    return object;
  }
}
