package io.fairlead.insight.gather;

import io.fairlead.api.json.Json;
import io.fairlead.client.ListOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.RawObject;
import io.fairlead.client.ResourceType;
import io.fairlead.client.lease.PolicyReport;
import io.fairlead.client.lease.ProxyReport;
import io.fairlead.client.objects.FieldMask;
import io.fairlead.client.objects.V1EndpointSlice;
import io.fairlead.client.objects.V1Node;
import io.fairlead.client.objects.V1Pod;
import io.fairlead.insight.evidence.Evidence;
import io.fairlead.insight.evidence.NameAnswer;
import io.fairlead.insight.evidence.Owner;
import io.fairlead.insight.evidence.Seen;
import io.fairlead.insight.evidence.ServiceEvidence;
import io.fairlead.insight.evidence.ServiceEvidence.ApiObjects;
import io.fairlead.insight.evidence.ServiceFacts;
import io.fairlead.insight.evidence.Unseen;
import io.fairlead.insight.evidence.Why;
import io.fairlead.work.Ticker;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ObjectNode;

/// Gathers what is known about one Service, all questions at once.
public final class ServiceGathering {
  private static final ObjectKey DNS = new ObjectKey("kube-system", "kube-dns");
  private static final ObjectKey CONTROLLERS =
      new ObjectKey("kube-system", "kube-controller-manager");
  private static final ResourceType POLICIES =
      new ResourceType("networking.k8s.io", "v1", "networkpolicies", "NetworkPolicy", true);
  private static final int NEIGHBOURS = 500;
  private static final int FEW = 20;
  private static final int MANY = 5000;

  private final Sources sources;
  private final InstantSource clock;
  private final Ticker ticker;
  private final ExplainOptions options;

  public ServiceGathering(
      Sources sources, InstantSource clock, Ticker ticker, ExplainOptions options) {
    this.sources = sources;
    this.clock = clock;
    this.ticker = ticker;
    this.options = options;
  }

  public ServiceEvidence gather(ObjectKey key) {
    try (Questions questions = new Questions(ticker, options.limit())) {
      return gather(key, questions);
    }
  }

  private ServiceEvidence gather(ObjectKey key, Questions questions) {
    var service = questions.ask(() -> sources.find(ResourceType.SERVICES, key));
    var slices =
        questions.ask(
            () ->
                sources.list(
                    ResourceType.ENDPOINT_SLICES,
                    key.namespace(),
                    ListOptions.ALL.labelled(V1EndpointSlice.SERVICE_LABEL + "=" + key.name()),
                    MANY,
                    slice -> slice));
    var endpoints = questions.ask(() -> sources.find(ResourceType.ENDPOINTS, key));
    var nodes =
        questions.ask(
            () -> sources.list(ResourceType.NODES, "", ListOptions.ALL, MANY, V1Node::of));
    var reports = questions.ask(this::proxyReports);
    var enforcers = questions.ask(this::enforcers);
    var controllers = questions.ask(() -> sources.find(ResourceType.LEASES, CONTROLLERS));
    var neighbours =
        questions.ask(
            () ->
                sources.list(
                    ResourceType.PODS, key.namespace(), ListOptions.ALL, NEIGHBOURS, pod -> pod));
    var policies =
        questions.ask(
            () -> sources.list(POLICIES, key.namespace(), ListOptions.ALL, MANY, one -> one));
    var names =
        questions.ask(
            () ->
                sources.listMetadata(
                    ResourceType.SERVICES,
                    key.namespace(),
                    ListOptions.ALL,
                    MANY,
                    one -> Json.textOr(one, "", "metadata", "name")));
    var server = questions.ask(() -> sources.find(ResourceType.SERVICES, DNS));
    var serverSlices = questions.ask(this::readyDnsServers);
    var client = questions.ask(this::client);

    Evidence<Optional<ServiceFacts>> facts =
        service.await().map(found -> found.map(ServiceFacts::of));
    Optional<ServiceFacts> known = facts.value().flatMap(found -> found);
    Optional<ServiceEvidence.Client> from = client.await().value().flatMap(found -> found);
    if (known.isEmpty()) {
      return absent(key, facts, questions, from);
    }
    ServiceFacts asked = known.get();
    var balancer =
        questions.ask(
            () ->
                new BalancerQuestions(sources, clock.instant())
                    .ask(service.await().value().flatMap(found -> found)));
    var answer = questions.ask(() -> resolve(asked, server.await()));
    PodEvidence pods = new PodQuestions(sources, questions, asked).ask();
    Evidence<List<ObjectNode>> raw = slices.await();
    NodeApiQuestions nodeQuestions =
        new NodeApiQuestions(sources, questions, asked, raw.value().orElse(List.of()));
    var reached =
        questions.ask(
            () ->
                new ReachQuestions(sources, options, asked, raw.value().orElse(List.of()), from)
                    .ask());
    Evidence<List<ProxyReport>> proxies = reports.await();
    Evidence<List<V1Pod>> selected = pods.pods().await();
    Map<String, ServiceEvidence.NodeEvidence> asking =
        nodeQuestions.nodes(live(proxies), from.map(ServiceEvidence.Client::node));
    var listeners = nodeQuestions.listeners(selected.value().orElse(List.of()));
    Evidence<List<ObjectNode>> rules = policies.await();
    Evidence<List<ObjectNode>> namespaces =
        from.isPresent() && !rules.value().orElse(List.of()).isEmpty()
            ? questions
                .ask(
                    () ->
                        sources.list(
                            ResourceType.NAMESPACES, "", ListOptions.ALL, MANY, one -> one))
                .await()
            : Seen.api(List.of(), clock.instant());
    ApiObjects objects =
        new ApiObjects(
            selected,
            pods.elsewhere().await(),
            raw.map(
                list ->
                    list.stream()
                        .map(ServiceGathering::slice)
                        .collect(Collectors.toCollection(ArrayList::new))),
            strays(asked, questions),
            endpoints.await(),
            nodes.await(),
            pods.owners().await(),
            proxies,
            controllers.await(),
            neighbours.await(),
            rules,
            enforcers.await(),
            namespaces,
            names.await(),
            serverSlices.await(),
            balancer.await());
    return new ServiceEvidence(
        clock.instant(),
        key,
        facts,
        Seen.api(List.of(), clock.instant()),
        objects,
        asking,
        listeners,
        answer.await(),
        reached.await(),
        from,
        options.front());
  }

  /// The pods and what explains their absence.
  record PodEvidence(
      Questions.Pending<List<V1Pod>> pods,
      Questions.Pending<List<String>> elsewhere,
      Questions.Pending<List<Owner>> owners) {}

  private ServiceEvidence absent(
      ObjectKey key,
      Evidence<Optional<ServiceFacts>> facts,
      Questions questions,
      Optional<ServiceEvidence.Client> from) {
    Evidence<List<String>> namesakes =
        questions
            .ask(
                () ->
                    sources.listMetadata(
                        ResourceType.SERVICES,
                        "",
                        new ListOptions("", "metadata.name=" + key.name(), "", "", 0, ""),
                        MANY,
                        one -> Json.textOr(one, "", "metadata", "namespace")))
            .await();
    Unseen<Object> none = Unseen.of(new Why.NoAnswer("no such Service"));
    return new ServiceEvidence(
        clock.instant(),
        key,
        facts,
        namesakes,
        new ApiObjects(
            none.map(_ -> List.of()),
            none.map(_ -> List.of()),
            none.map(_ -> List.of()),
            none.map(_ -> List.of()),
            none.map(_ -> Optional.empty()),
            none.map(_ -> List.of()),
            none.map(_ -> List.of()),
            none.map(_ -> List.of()),
            none.map(_ -> Optional.empty()),
            none.map(_ -> List.of()),
            none.map(_ -> List.of()),
            none.map(_ -> List.of()),
            none.map(_ -> List.of()),
            none.map(_ -> List.of()),
            none.map(_ -> 0),
            none.map(_ -> List.of())),
        Map.of(),
        Map.of(),
        Unseen.of(none.why()),
        Unseen.of(none.why()),
        from,
        options.front());
  }

  private static V1EndpointSlice slice(ObjectNode object) {
    return RawObject.of(object).read(in -> V1EndpointSlice.read(in, FieldMask.ALL));
  }

  /// Slices that bear the Service's name and not its label. Asked only where people write them.
  private Evidence<List<V1EndpointSlice>> strays(ServiceFacts asked, Questions questions) {
    if (asked.selecting().selectsPods() || asked.externalName()) {
      return Seen.api(List.of(), clock.instant());
    }
    return questions
        .ask(
            () ->
                sources.list(
                    ResourceType.ENDPOINT_SLICES,
                    asked.key().namespace(),
                    ListOptions.ALL.labelled("!" + V1EndpointSlice.SERVICE_LABEL),
                    MANY,
                    ServiceGathering::slice))
        .await()
        .map(
            all ->
                all.stream()
                    .filter(one -> one.metadata().name().startsWith(asked.key().name()))
                    .toList());
  }

  private Evidence<List<ProxyReport>> proxyReports() {
    return sources.list(
        ResourceType.LEASES,
        ProxyReport.NAMESPACE,
        ListOptions.ALL.labelled(ProxyReport.LABEL + "=true"),
        MANY,
        ProxyReport::of);
  }

  private Evidence<List<String>> enforcers() {
    Instant now = clock.instant();
    return sources
        .list(
            ResourceType.LEASES,
            PolicyReport.NAMESPACE,
            ListOptions.ALL.labelled(PolicyReport.LABEL + "=true"),
            MANY,
            PolicyReport::of)
        .map(all -> all.stream().filter(one -> one.lives(now)).map(PolicyReport::node).toList());
  }

  private List<String> live(Evidence<List<ProxyReport>> reports) {
    Instant now = clock.instant();
    return reports.value().orElse(List.of()).stream()
        .filter(report -> report.lives(now))
        .map(ProxyReport::node)
        .toList();
  }

  private Evidence<Integer> readyDnsServers() {
    return sources
        .list(
            ResourceType.ENDPOINT_SLICES,
            DNS.namespace(),
            ListOptions.ALL.labelled(V1EndpointSlice.SERVICE_LABEL + "=" + DNS.name()),
            FEW,
            ServiceGathering::slice)
        .map(
            all ->
                // A cluster without slices for it has its DNS elsewhere.
                all.isEmpty()
                    ? 1
                    : (int)
                        all.stream()
                            .flatMap(one -> one.endpoints().stream())
                            .filter(one -> !Boolean.FALSE.equals(one.ready()))
                            .count());
  }

  private Evidence<NameAnswer> resolve(ServiceFacts asked, Evidence<Optional<ObjectNode>> server) {
    if (!options.probe()) {
      return Unseen.of(new Why.SwitchedOff("--no-probe"));
    }
    Optional<String> address =
        options
            .server()
            .or(
                () ->
                    server
                        .value()
                        .flatMap(found -> found)
                        .map(one -> Json.textOr(one, "", "spec", "clusterIP"))
                        .filter(one -> !one.isEmpty() && !one.equals("None")));
    if (address.isEmpty()) {
      return server instanceof Unseen<?> unseen
          ? Unseen.of(unseen.why())
          : Unseen.of(new Why.NoAnswer("there is no Service kube-system/kube-dns"));
    }
    Evidence<NameAnswer> answer =
        sources.resolve(address.get(), asked.fqdn(options.domain()) + ".");
    boolean silent =
        answer.value().filter(one -> one.rcode().equals(NameAnswer.NO_ANSWER)).isPresent();
    // From outside of the cluster silence says nothing about its DNS server.
    return silent && options.server().isEmpty() && sources.localNode().isEmpty()
        ? Unseen.of(new Why.NoNodeApi())
        : answer;
  }

  private Evidence<Optional<ServiceEvidence.Client>> client() {
    if (options.fromPod().isPresent()) {
      ObjectKey key = options.fromPod().get();
      return sources
          .find(ResourceType.PODS, key)
          .map(
              found ->
                  found.map(
                      pod ->
                          new ServiceEvidence.Client(
                              key.name(),
                              Optional.of(pod),
                              Json.textOr(pod, "", "spec", "nodeName"))));
    }
    return Seen.api(
        options.fromNode().map(node -> new ServiceEvidence.Client(node, Optional.empty(), node)),
        clock.instant());
  }
}
