package io.fairlead.insight.gather;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.client.Client;
import io.fairlead.client.ClientConfig;
import io.fairlead.client.ListOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ObjectPage;
import io.fairlead.client.ResourceType;
import io.fairlead.client.TypedPage;
import io.fairlead.client.transport.ApiRequest;
import io.fairlead.client.transport.ConnectionException;
import io.fairlead.insight.evidence.Evidence;
import io.fairlead.insight.evidence.NameAnswer;
import io.fairlead.insight.evidence.ReachReport;
import io.fairlead.insight.evidence.RulesReport;
import io.fairlead.insight.evidence.Seen;
import io.fairlead.insight.evidence.ServiceFacts;
import io.fairlead.insight.evidence.Source;
import io.fairlead.insight.evidence.Unseen;
import io.fairlead.insight.evidence.Why;
import io.fairlead.proxy.nodeapi.NodeApiRequest;
import io.fairlead.proxy.nodeapi.NodePodDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.node.ObjectNode;

/// Asks a cluster: its API server, through it the nodes, its DNS server, its Services, and the
/// kernel of this machine.
public final class ClusterSources implements Sources {
  private static final int PAGE = 500;
  private static final int UNAUTHORIZED = 401;
  private static final int FORBIDDEN = 403;

  /// The version of the documents of node APIs.
  private static final String DOCUMENTS = "fairlead.dev/v1";

  /// The question that a policy component answers, too.
  private static final String DROPS = "drops";

  private final Client client;
  private final InstantSource clock;
  private final NameProbe names;
  private final HandshakeProbe connections;
  private final Optional<ThisMachine> machine;
  private final Optional<LocalNodeApi> local;
  private final Optional<LocalNodeApi> localPolicy;
  private final RemoteNodeApi remote;

  /// @param machine this machine, when it is a node of the cluster
  public ClusterSources(
      Client client,
      InstantSource clock,
      NameProbe names,
      HandshakeProbe connections,
      Optional<ThisMachine> machine) {
    this(
        client,
        clock,
        names,
        connections,
        machine,
        Optional.empty(),
        Optional.empty(),
        new RemoteNodeApi(client, clock, Optional.empty()));
  }

  private ClusterSources(
      Client client,
      InstantSource clock,
      NameProbe names,
      HandshakeProbe connections,
      Optional<ThisMachine> machine,
      Optional<LocalNodeApi> local,
      Optional<LocalNodeApi> localPolicy,
      RemoteNodeApi remote) {
    this.client = client;
    this.clock = clock;
    this.names = names;
    this.connections = connections;
    this.machine = machine;
    this.local = local;
    this.localPolicy = localPolicy;
    this.remote = remote;
  }

  /// The same, with the node of this machine asked at the first of these sockets that answers.
  public ClusterSources through(List<Path> sockets) {
    return new ClusterSources(
        client,
        clock,
        names,
        connections,
        machine,
        LocalNodeApi.find(sockets),
        LocalNodeApi.findPolicy(sockets),
        remote);
  }

  /// The same, with proxies that run alone as pods asked by port-forward where no other way leads
  /// to their node.
  ///
  /// @param connection to the API server
  public ClusterSources throughPods(ClientConfig connection) {
    return new ClusterSources(
        client,
        clock,
        names,
        connections,
        machine,
        local,
        localPolicy,
        new RemoteNodeApi(client, clock, Optional.of(new PodNodeApi(connection, client))));
  }

  @Override
  public Evidence<Optional<ObjectNode>> find(ResourceType type, ObjectKey key) {
    return api("get", type, key.namespace(), () -> client.find(type, key));
  }

  @Override
  public <T> Evidence<List<T>> list(
      ResourceType type,
      String namespace,
      ListOptions options,
      int most,
      Function<ObjectNode, T> reader) {
    return pages(
        type,
        namespace,
        options,
        most,
        (asked, next) -> page(client.list(type, namespace, asked), reader, next));
  }

  @Override
  public <T> Evidence<List<T>> listTyped(
      ResourceType type,
      String namespace,
      ListOptions options,
      int most,
      Function<JsonParser, T> reader) {
    return pages(
        type,
        namespace,
        options,
        most,
        (asked, next) -> client.list(type, namespace, asked, reader, next));
  }

  @Override
  public <T> Evidence<List<T>> listTypedMetadata(
      ResourceType type,
      String namespace,
      ListOptions options,
      int most,
      Function<JsonParser, T> reader) {
    return pages(
        type,
        namespace,
        options,
        most,
        (asked, next) -> client.listMetadata(type, namespace, asked, reader, next));
  }

  private static <T> TypedPage<T> page(
      ObjectPage page, Function<ObjectNode, T> reader, Consumer<String> next) {
    if (!page.continueToken().isEmpty()) {
      next.accept(page.continueToken());
    }
    return new TypedPage<>(page.items().stream().map(reader).toList(), page.continueToken());
  }

  @Override
  public <T> Evidence<List<T>> listMetadata(
      ResourceType type,
      String namespace,
      ListOptions options,
      int most,
      Function<ObjectNode, T> reader) {
    return pages(
        type,
        namespace,
        options,
        most,
        (asked, next) -> page(client.listMetadata(type, namespace, asked), reader, next));
  }

  private <T> Evidence<List<T>> pages(
      ResourceType type,
      String namespace,
      ListOptions options,
      int most,
      PageSequence.Reader<T> reader) {
    return api(
        "list",
        type,
        namespace,
        () -> PageSequence.read(options.limited(Math.min(PAGE, most)), most, reader));
  }

  private <T> Evidence<T> api(
      String verb, ResourceType type, String namespace, Supplier<T> question) {
    try {
      return Seen.api(question.get(), clock.instant());
    } catch (ApiException e) {
      return Unseen.of(
          isRefusal(e)
              ? new Why.Forbidden(verb, type + (namespace.isEmpty() ? "" : " in " + namespace))
              : new Why.NoAnswer(String.valueOf(e.getMessage())));
    } catch (ConnectionException e) {
      return Unseen.of(new Why.NoAnswer(String.valueOf(e.getMessage())));
    }
  }

  private static boolean isRefusal(ApiException e) {
    return e.status().code() == UNAUTHORIZED || e.status().code() == FORBIDDEN;
  }

  @Override
  public Evidence<ObjectNode> node(String node, String question) {
    return here(node, "GET", question, Json.object())
        .orElseGet(() -> remote.ask(node, ApiRequest.get(path(question), query(question))));
  }

  @Override
  public Evidence<ObjectNode> post(String node, String question, ObjectNode body) {
    return here(node, "POST", question, body)
        .orElseGet(
            () -> remote.ask(node, ApiRequest.with("POST", path(question), query(question), body)));
  }

  /// What the node says at its socket; empty when it is another machine's, or does not know the
  /// pod.
  private Optional<Evidence<ObjectNode>> here(
      String node, String method, String question, ObjectNode body) {
    Optional<LocalNodeApi> socket =
        (question.equals(DROPS) ? localPolicy.or(() -> local) : local)
            .filter(each -> each.node().equals(node));
    if (socket.isEmpty()) {
      return Optional.empty();
    }
    NodeApiRequest request =
        new NodeApiRequest(
            method, path(question), query(question), body, "", NodePodDirectory.NONE);
    try {
      return socket
          .get()
          .ask(request)
          .map(
              answer ->
                  answer.isFine()
                      ? new Seen<>(answer.body(), Source.KERNEL, node, clock.instant())
                      : new Unseen<ObjectNode>(
                          new Why.NoAnswer(Json.textOr(answer.body(), "", "message")), node));
    } catch (IOException _) {
      // The proxy has just ended: perhaps another way leads to the node.
      return Optional.empty();
    }
  }

  @Override
  public Evidence<ObjectNode> controlPlane(String question) {
    try {
      ObjectNode answer = client.raw(ApiRequest.get("/fairlead/" + question, Map.of())).object();
      return Json.textOr(answer, "", "apiVersion").equals(DOCUMENTS)
          ? new Seen<>(answer, Source.RECORD, "", clock.instant())
          : Unseen.of(new Why.NotOurs("control plane"));
    } catch (ApiException e) {
      return Unseen.of(
          isRefusal(e)
              ? new Why.Forbidden("get", "/fairlead/" + question)
              : new Why.NoAnswer(String.valueOf(e.getMessage())));
    } catch (ConnectionException e) {
      return Unseen.of(new Why.NoAnswer(String.valueOf(e.getMessage())));
    }
  }

  private static String path(String target) {
    int mark = target.indexOf('?');
    return mark < 0 ? target : target.substring(0, mark);
  }

  private static Map<String, String> query(String target) {
    Map<String, String> query = new java.util.LinkedHashMap<>();
    int mark = target.indexOf('?');
    if (mark >= 0) {
      for (String part : target.substring(mark + 1).split("&")) {
        int is = part.indexOf('=');
        query.put(part.substring(0, is), part.substring(is + 1));
      }
    }
    return query;
  }

  @Override
  public Evidence<RulesReport> localRules(ServiceFacts service, List<ObjectNode> slices) {
    return machine
        .map(here -> here.rules(service, slices, clock.instant()))
        .orElseGet(() -> Unseen.of(new Why.NoNodeApi()));
  }

  @Override
  public Optional<String> localNode() {
    return machine.map(ThisMachine::node).or(() -> local.map(LocalNodeApi::node));
  }

  @Override
  public Evidence<NameAnswer> resolve(String server, String name) {
    return new Seen<>(names.ask(server, name), Source.PROBE, "", clock.instant());
  }

  @Override
  public Evidence<ReachReport.Attempt> connect(String address, int port) {
    return new Seen<>(connections.connect(address, port), Source.PROBE, "", clock.instant());
  }
}
