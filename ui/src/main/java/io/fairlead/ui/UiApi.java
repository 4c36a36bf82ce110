package io.fairlead.ui;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.api.status.Status;
import io.fairlead.client.ObjectKey;
import io.fairlead.http.server.HttpServerExchange;
import io.fairlead.http.server.QueryParameters;
import io.fairlead.insight.gather.Sources;
import io.fairlead.ui.model.Rights;
import io.fairlead.ui.model.ServiceQuery;
import io.fairlead.ui.model.UiModel;
import io.fairlead.ui.session.Sessions;
import io.fairlead.ui.session.UiSession;
import io.fairlead.ui.stream.EventStream;
import io.fairlead.ui.stream.TopicHub;
import io.fairlead.ui.stream.TopicSource;
import io.fairlead.work.Pacer;
import io.fairlead.work.Ticker;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// What the page asks for below `/ui/api/v1/`, answered as the session's user.
final class UiApi {
  private static final int MOST_TOPICS = 8;
  private static final int MOST_USERS = 64;
  private static final int MOST_COMMANDS = 8;
  private static final int MOST_PODS = 20;
  private static final int TOO_MANY = 429;
  private static final Rights.Question LOOK = new Rights.Question("get", "", "nodes/insight", "");
  private static final Rights.Question TRACE =
      new Rights.Question("create", "", "nodes/insight", "");

  private static final Rights.Question RESTART_PROXIES =
      new Rights.Question("delete", "", "pods", "kube-system");
  private static final Rights.Question CONFIGURE_PROXIES =
      new Rights.Question("patch", "", "configmaps", "kube-system");

  private final UiHost host;
  private final UiOptions options;
  private final UiModel model;
  private final TopicHub hub;
  private final Sessions sessions;
  private final InstantSource clock;
  private final Map<UiUser, Rights> rights = new ConcurrentHashMap<>();
  private final Semaphore commands = new Semaphore(MOST_COMMANDS);

  UiApi(
      UiHost host,
      UiOptions options,
      UiModel model,
      TopicHub hub,
      Sessions sessions,
      InstantSource clock) {
    this.host = host;
    this.options = options;
    this.model = model;
    this.hub = hub;
    this.sessions = sessions;
    this.clock = clock;
  }

  /// One request of a session.
  private record Call(
      HttpServerExchange exchange, UiSession session, UserView view, List<String> path) {
    QueryParameters query() {
      return exchange.query();
    }

    String part(int index) {
      return index < path.size() ? path.get(index) : "";
    }

    String language() {
      return CommandLines.language(query().text("lang"));
    }
  }

  /// @param path behind the version
  void serve(HttpServerExchange exchange, UiSession session, String path)
      throws IOException, InterruptedException {
    Call call =
        new Call(
            exchange,
            session,
            new UserView(host, model, session.user(), rights(session.user()), clock),
            List.of(path.split("/")));
    if (exchange.method().equals("POST") && path.equals("traces")) {
      trace(call);
    } else if (exchange.method().equals("POST")) {
      UiHandler.send(exchange, 200, post(call));
    } else if (!exchange.method().equals("GET")) {
      throw ApiException.methodNotAllowed();
    } else if (path.equals("stream")) {
      stream(call);
    } else {
      UiHandler.send(exchange, 200, get(call));
    }
  }

  /// The node of this machine answers root without asking who it is for: so we ask.
  private UiHost.Seat seat(Call call) {
    Rights may = rights(call.session().user());
    return new UiHost.Seat(call.session().user(), call.language(), may.may(LOOK) && may.may(TRACE));
  }

  private Rights rights(UiUser user) {
    if (rights.size() > MOST_USERS) {
      rights.clear();
    }
    return rights.computeIfAbsent(user, one -> new Rights(host.as(one), clock));
  }

  /// Who is let in, and what the page needs to know of it.
  ObjectNode session(UiSession session) {
    ObjectNode node = Json.object().put("user", session.user().name());
    session.user().groups().forEach(node.putArray("groups")::add);
    node.put("token", session.token())
        .put("epoch", hub.epoch())
        .put("version", host.version())
        .put("now", clock.instant().toString())
        .put("until", session.until().toString())
        .put("writes", options.writes());
    Rights may = rights(session.user());
    boolean repair = options.writes() && may.may(RESTART_PROXIES);
    node.putObject("rights")
        .put("trace", may.may(TRACE))
        .put("repair", repair)
        .put("mode", repair && may.may(CONFIGURE_PROXIES));
    return node;
  }

  private ObjectNode get(Call call) {
    return switch (call.part(0)) {
      case "session" -> session(call.session());
      case "services" ->
          call.path().size() == 1
              ? model.list(ServiceQuery.of(call.query()), rights(call.session().user()))
              : service(call);
      case "nodes" ->
          call.part(1).equals("verification")
              ? command(call, List.of("verify", "--all-nodes"))
              : call.view().nodes();
      case "history" ->
          call.view()
              .history(call.query().text("namespace"), call.query().text("service"), back(call));
      case "dns" ->
          command(
              call,
              CommandLines.dns(
                  call.query().text("name"),
                  call.query().text("namespace"),
                  call.query().text("from")));
      case "doctor" -> command(call, List.of("doctor"));
      case "help" -> help(call);
      case "pods" -> pods(call);
      default -> throw ApiException.noSuchResource();
    };
  }

  private ObjectNode service(Call call) {
    ObjectKey key = new ObjectKey(CommandLines.name(call.part(1)), CommandLines.name(call.part(2)));
    return switch (call.part(3)) {
      case "" -> model.detail(key, rights(call.session().user()));
      case "explanation" -> explained(call, key, false);
      case "rules" ->
          command(call, CommandLines.rules(key.namespace(), key.name(), call.query().text("node")));
      case "differences" ->
          limited(
              () ->
                  CommandLines.runForPeople(
                      host,
                      seat(call),
                      List.of("rules", "svc/" + key.name(), "-n", key.namespace(), "--diff")));
      case "history" -> call.view().history(key.namespace(), key.name(), back(call));
      case "flows" -> call.view().flows(key.namespace(), key.name());
      default -> throw ApiException.noSuchResource();
    };
  }

  private static ObjectNode explained(Call call, ObjectKey key, boolean probes) {
    return call.view()
        .explanation(key, probes)
        .orElseThrow(
            () -> new ApiException(Status.of(404, "NotFound", "there is no Service " + key)));
  }

  private ObjectNode help(Call call) {
    String code = CommandLines.name(call.part(1));
    return limited(() -> CommandLines.runForPeople(host, seat(call), List.of("help", code)));
  }

  private ObjectNode pods(Call call) {
    ObjectNode answer = Json.object();
    ArrayNode items = answer.putArray("items");
    model
        .pods(call.query().text("q"), MOST_PODS, rights(call.session().user()))
        .forEach(items::add);
    return answer;
  }

  private static Duration back(Call call) {
    Long minutes = call.query().number("minutes");
    return Duration.ofMinutes(minutes == null ? 60 : Math.clamp(minutes, 1, 24 * 60));
  }

  private ObjectNode post(Call call) throws IOException {
    ObjectNode body = UiHandler.body(call.exchange());
    return switch (call.part(0)) {
      case "explanations" -> probed(call, body);
      case "simulations" ->
          limited(() -> CommandLines.runForPeople(host, seat(call), CommandLines.simulate(body)));
      case "changes" -> {
        if (!options.writes()) {
          throw ApiException.noSuchResource();
        }
        yield ObjectChanges.apply(host.as(call.session().user()), body, clock.instant());
      }
      default -> throw ApiException.noSuchResource();
    };
  }

  /// A browser that takes lines gets the hops while the packet is on its way.
  private void trace(Call call) throws IOException, InterruptedException {
    ObjectNode body = UiHandler.body(call.exchange());
    List<String> words = CommandLines.trace(body);
    String accept = call.exchange().header("Accept");
    if (accept == null || !accept.contains("application/x-ndjson")) {
      UiHandler.send(call.exchange(), 200, command(call, words));
      return;
    }
    Optional<String> node =
        words.contains("--model") || !rights(call.session().user()).may(LOOK)
            ? Optional.empty()
            : model.nodeOf(Json.textOr(body, "", "from"));
    Sources sources = host.sources(call.session().user());
    new TraceLines(() -> node.flatMap(name -> sources.node(name, "traces").value()))
        .serve(call.exchange(), () -> command(call, words));
  }

  private ObjectNode probed(Call call, ObjectNode body) {
    if (!rights(call.session().user()).may(TRACE)) {
      throw new ApiException(
          Status.of(403, "Forbidden", "probes need the right to create nodes/insight"));
    }
    ObjectKey key =
        new ObjectKey(
            CommandLines.name(Json.textOr(body, "", "namespace")),
            CommandLines.name(Json.textOr(body, "", "name")));
    return explained(call, key, true);
  }

  private ObjectNode command(Call call, List<String> words) {
    return limited(() -> CommandLines.run(host, seat(call), words));
  }

  /// Commands take threads and packets: so many at once and no more.
  private ObjectNode limited(Supplier<ObjectNode> work) {
    if (!commands.tryAcquire()) {
      throw new ApiException(
          Status.of(TOO_MANY, "TooManyRequests", "too many questions at once; try again"));
    }
    try {
      return work.get();
    } finally {
      commands.release();
    }
  }

  private void stream(Call call) throws IOException {
    Map<String, Supplier<TopicSource>> sources = new LinkedHashMap<>();
    List<String> names = new ArrayList<>(call.query().all("topic"));
    if (names.isEmpty() || names.size() > MOST_TOPICS) {
      throw ApiException.badRequest("a stream has one to " + MOST_TOPICS + " topics");
    }
    for (String name : names) {
      TopicSource source = source(call, name);
      sources.put(name, () -> source);
    }
    UiSession session = call.session();
    String last = call.exchange().header("Last-Event-ID");
    new EventStream(hub, Pacer.system(), Ticker.system())
        .serve(
            call.exchange(),
            session.user(),
            sources,
            last == null ? call.query().text("last") : last,
            () -> sessions.find(session.cookie()).isPresent());
  }

  /// @param name `services?q=…`, `service:NS/NAME`, `flows:NS/NAME`, `rates`, `nodes`,
  ///   `history[:NS/NAME]`
  private TopicSource source(Call call, String name) {
    Rights may = rights(call.session().user());
    UserView view = call.view();
    if (name.equals("services") || name.startsWith("services?")) {
      int mark = name.indexOf('?');
      ServiceQuery query =
          ServiceQuery.of(QueryParameters.parse(mark < 0 ? "" : name.substring(mark + 1)));
      return TopicSource.ofModel(() -> model.list(query, may));
    }
    int colon = name.indexOf(':');
    String kind = colon < 0 ? name : name.substring(0, colon);
    String[] key = colon < 0 ? new String[] {"", ""} : name.substring(colon + 1).split("/", 2);
    if (key.length != 2) {
      throw ApiException.badRequest("not a topic: " + name);
    }
    return switch (kind) {
      case "service" -> {
        ObjectKey service = new ObjectKey(CommandLines.name(key[0]), CommandLines.name(key[1]));
        yield TopicSource.ofModel(() -> model.detail(service, may));
      }
      case "flows" -> {
        String namespace = CommandLines.name(key[0]);
        String service = CommandLines.name(key[1]);
        yield TopicSource.polled(Duration.ofSeconds(2), () -> view.flows(namespace, service));
      }
      case "rates" -> TopicSource.polled(Duration.ofSeconds(2), view::rates);
      case "nodes" -> TopicSource.polled(Duration.ofSeconds(3), view::nodes);
      case "history" ->
          TopicSource.polled(
              Duration.ofSeconds(2), () -> view.history(key[0], key[1], Duration.ofHours(1)));
      default -> throw ApiException.badRequest("not a topic: " + name);
    };
  }
}
