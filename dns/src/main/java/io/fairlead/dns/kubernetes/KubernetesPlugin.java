package io.fairlead.dns.kubernetes;

import io.fairlead.api.net.IpAddress;
import io.fairlead.client.ObjectKey;
import io.fairlead.dns.kubernetes.answer.AnswerOptions;
import io.fairlead.dns.kubernetes.answer.NameServers;
import io.fairlead.dns.kubernetes.answer.OwnZone;
import io.fairlead.dns.kubernetes.answer.ReplyComposer;
import io.fairlead.dns.kubernetes.answer.ReplyOutcome;
import io.fairlead.dns.kubernetes.answer.SlowPathAnswers;
import io.fairlead.dns.kubernetes.data.ClusterData;
import io.fairlead.dns.kubernetes.data.CompiledService;
import io.fairlead.dns.kubernetes.data.ServiceCell;
import io.fairlead.dns.plugin.ChainPlugin;
import io.fairlead.dns.plugin.DnsAnswer;
import io.fairlead.dns.plugin.FastPathAnswers;
import io.fairlead.dns.plugin.Handler;
import io.fairlead.dns.plugin.HealthDetail;
import io.fairlead.dns.plugin.MetadataSource;
import io.fairlead.dns.plugin.Query;
import io.fairlead.dns.plugin.Readiness;
import io.fairlead.dns.plugin.Reply;
import io.fairlead.dns.plugin.ReplyValidity;
import io.fairlead.dns.plugin.SearchPaths;
import io.fairlead.dns.plugin.SharedResources;
import io.fairlead.dns.plugin.TransferSource;
import io.fairlead.dns.wire.Name;
import io.fairlead.dns.wire.QueryView;
import io.fairlead.dns.wire.Question;
import io.fairlead.dns.wire.Rcode;
import io.fairlead.dns.wire.RecordClass;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Answers for the names of a cluster. Most answers are copied by [ReplyComposer], either straight
/// on the thread that received the question or here, as part of the chain; the rest is put together
/// from records.
public final class KubernetesPlugin
    implements ChainPlugin,
        FastPathAnswers,
        Readiness,
        SearchPaths,
        TransferSource,
        MetadataSource,
        HealthDetail,
        ExternalNames.OwnNames {
  private final KubernetesOptions options;
  private final AnswerOptions answers;
  private final Supplier<SharedResources.Handle<ClusterData>> source;
  private final Supplier<List<IpAddress>> own;
  private final Supplier<List<Name>> hostSearch;
  private final Handler resolver;
  private final RandomGenerator random;
  private volatile @Nullable Running running;

  /// What exists between start and stop.
  private record Running(
      SharedResources.Handle<ClusterData> taken, SlowPathAnswers slowPath, ExternalNames external) {
    ClusterData data() {
      return taken.get();
    }
  }

  KubernetesPlugin(
      KubernetesOptions options,
      AnswerOptions answers,
      Supplier<SharedResources.Handle<ClusterData>> source,
      Supplier<List<IpAddress>> own,
      Supplier<List<Name>> hostSearch,
      Handler resolver,
      RandomGenerator random) {
    this.options = options;
    this.answers = answers;
    this.source = source;
    this.own = own;
    this.hostSearch = hostSearch;
    this.resolver = resolver;
    this.random = random;
  }

  @Override
  public String name() {
    return "kubernetes";
  }

  @Override
  public List<? extends Record> options() {
    return List.of(options);
  }

  @Override
  public void start() {
    SharedResources.Handle<ClusterData> taken = source.get();
    ClusterData data = taken.get();
    NameServers servers = new NameServers(data.tables(), own);
    running =
        new Running(
            taken,
            new SlowPathAnswers(data, answers, servers),
            new ExternalNames(this, resolver, answers.ttl()));
  }

  @Override
  public void stop() {
    Running last = running;
    if (last != null) {
      last.taken().close();
    }
  }

  private Running running() {
    Running now = running;
    if (now == null) {
      throw new IllegalStateException("kubernetes has not been started");
    }
    return now;
  }

  /// The cluster, for other plugins of the same block.
  public ClusterData data() {
    return running().data();
  }

  public AnswerOptions answerOptions() {
    return answers;
  }

  @Override
  public boolean ready() {
    Running now = running;
    return now != null && now.data().synced() && !stale(now.data());
  }

  /// The server answers either way; this only makes clients prefer other replicas.
  private boolean stale(ClusterData data) {
    return lapses() && !data.connected() && data.age() > options.maxStaleness().toNanos();
  }

  @Override
  public boolean lapses() {
    return !options.maxStaleness().isZero();
  }

  @Override
  public String healthDetail() {
    Running now = running;
    if (now == null || !now.data().synced()) {
      return "the cluster has not been seen yet";
    }
    long seconds = TimeUnit.NANOSECONDS.toSeconds(now.data().age());
    return now.data().connected()
        ? "follows the API server, last heard " + seconds + " s ago"
        : "the API server is away, answering what was known " + seconds + " s ago";
  }

  @Override
  public boolean treatsClientsAlike() {
    return true;
  }

  @Override
  public boolean mayBlock() {
    return false;
  }

  @Override
  public DnsAnswer handle(Query query, Handler next) {
    if (query.question().recordClass() != RecordClass.IN) {
      return next.handle(query);
    }
    ReplyValidity unchanged = unchanged(data());
    Looked looked = look(query.question());
    return switch (looked.outcome()) {
      case NOT_OURS -> next.handle(query);
      case NOT_FOUND -> Reply.limited(next.handle(query), unchanged);
      // Several leave in an order of chance.
      case ANSWERED ->
          looked.reply().answer().size() > 1
              ? looked.reply()
              : looked.reply().withValidity(unchanged);
      case SLOW_PATH -> slowPath(query, looked, unchanged, next);
    };
  }

  /// Until the next change in the cluster.
  private static ReplyValidity unchanged(ClusterData data) {
    long generation = data.generation();
    boolean synced = data.synced();
    return _ -> data.generation() == generation && data.synced() == synced;
  }

  /// A lookup in the tables.
  ///
  /// @param reply means something only where a reply was written
  /// @param synced whether the whole cluster was known before
  private record Looked(
      ReplyOutcome outcome, Reply reply, QueryView view, @Nullable OwnZone zone, boolean synced) {}

  private Looked look(Question question) {
    boolean synced = data().synced();
    return ChainLookup.look(
        data(),
        answers,
        random,
        question,
        (outcome, reply, view, zone) -> new Looked(outcome, reply, view, zone, synced));
  }

  private DnsAnswer slowPath(Query query, Looked looked, ReplyValidity unchanged, Handler next) {
    OwnZone zone = looked.zone();
    if (zone == null) {
      return next.handle(query);
    }
    Optional<Name> target = target(query.name());
    if (target.isPresent() && !ChainLookup.isTransfer(query.type())) {
      // The end of the alias may lie outside.
      return query.mayBlock()
          ? running().external().follow(query, target.get())
          : new DnsAnswer.WouldBlock();
    }
    Reply reply =
        running().slowPath().answer(query.question(), looked.view(), zone, looked.synced());
    boolean missing = reply.rcode() == Rcode.NXDOMAIN;
    return missing && zone.fallthrough() ? Reply.limited(next.handle(query), unchanged) : reply;
  }

  @Override
  public Optional<Name> target(Name name) {
    for (OwnZone zone : answers.zones()) {
      if (name.isUnder(zone.name()) && !zone.reverse()) {
        List<String> labels = name.without(zone.name()).labels();
        if (labels.size() != 3 || !labels.get(2).equalsIgnoreCase("svc")) {
          return Optional.empty();
        }
        ServiceCell cell = data().tables().service(new ObjectKey(labels.get(1), labels.get(0)));
        CompiledService service = cell == null ? null : cell.visible();
        return Optional.ofNullable(service == null ? null : service.externalName());
      }
    }
    return Optional.empty();
  }

  @Override
  public boolean isOurs(Name name) {
    return answers.zones().stream().anyMatch(zone -> !zone.reverse() && name.isUnder(zone.name()));
  }

  @Override
  public Reply answer(Query query) {
    Looked looked = look(query.question());
    OwnZone zone = looked.zone();
    if (looked.outcome() == ReplyOutcome.SLOW_PATH && zone != null) {
      return running().slowPath().answer(query.question(), looked.view(), zone, looked.synced());
    }
    return looked.reply();
  }

  @Override
  public Reply noData(Name name) {
    OwnZone zone =
        answers.zones().stream()
            .filter(each -> name.isUnder(each.name()))
            .findFirst()
            .orElseThrow();
    return running().slowPath().noData(name, zone);
  }

  @Override
  public List<Name> ownZones() {
    return options.zones();
  }

  @Override
  public FastPathLookup lookup(RandomGenerator dice) {
    ReplyComposer composer = new ReplyComposer(running().data(), answers, dice);
    return (view, out, limit, udpSize) ->
        composer.answer(view, out, limit, udpSize) == ReplyOutcome.ANSWERED ? composer.length() : 0;
  }

  @Override
  public Optional<TransferSource.Zone> transfer(Name zone, OptionalLong serial) {
    return answers.zones().stream()
        .filter(each -> !each.reverse() && each.name().equals(zone))
        .findFirst()
        .map(each -> running().slowPath().transfer(each));
  }

  @Override
  public List<Name> searchPath(Query query) {
    List<ObjectKey> pods = clientPods(query);
    if (pods.isEmpty()) {
      return List.of();
    }
    Name zone = options.primary();
    Name services = zone.child("svc");
    List<Name> path = new ArrayList<>();
    path.add(services.child(pods.getFirst().namespace()));
    path.add(services);
    path.add(zone);
    path.addAll(hostSearch.get());
    path.add(Name.ROOT);
    return path;
  }

  private List<ObjectKey> clientPods(Query query) {
    byte[] address = query.origin().remote().getAddress().getAddress();
    return data().tables().pods(IpAddress.ofBytes(address).unmapped());
  }

  @Override
  public Map<String, String> metadata(Query query) {
    Map<String, String> facts = new LinkedHashMap<>();
    List<ObjectKey> pods = clientPods(query);
    if (pods.size() == 1) {
      facts.put("kubernetes/client-namespace", pods.getFirst().namespace());
      facts.put("kubernetes/client-pod-name", pods.getFirst().name());
    }
    answers.zones().stream()
        .filter(zone -> !zone.reverse() && query.name().isUnder(zone.name()))
        .findFirst()
        .ifPresent(
            zone -> KubernetesMetadata.add(facts, query.name().without(zone.name()).labels()));
    return facts;
  }
}
