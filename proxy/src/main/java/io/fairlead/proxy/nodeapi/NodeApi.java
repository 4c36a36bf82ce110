package io.fairlead.proxy.nodeapi;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.api.status.Status;
import io.fairlead.kernel.syscall.SystemCallException;
import io.fairlead.proxy.core.DataPlaneException;
import io.fairlead.work.Pacer;
import io.fairlead.work.Ticker;
import java.io.UncheckedIOException;
import java.time.InstantSource;
import java.util.Set;
import java.util.concurrent.Semaphore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Answers requests to the node API, each on its caller's thread. Who may ask is decided before.
///
/// Readings of rules, flows and checks run one at a time, so that however many ask, the node spends
/// one thread on it; the proxy's own loop is never waited for.
public final class NodeApi {
  private static final Logger log = LoggerFactory.getLogger(NodeApi.class);

  public static final String VERSION = "fairlead.dev/v1";

  /// Those that read much.
  private static final Set<String> HEAVY = Set.of("rules", "rules/summary", "flows", "checks");

  private final NodeView view;
  private final RequestRates rates;
  private final AboutDocument about;
  private final RulesDocument rules;
  private final FlowsDocument flows;
  private final ChecksDocument checks;
  private final ListenersDocument listeners;
  private final ProbesDocument probes;
  private final TraceDocument traces;
  private final ChangesDocument changes;
  private final Semaphore readings = new Semaphore(1);

  public NodeApi(NodeView view, InstantSource clock, Ticker ticker, Pacer pacer) {
    this.view = view;
    this.rates = new RequestRates(ticker);
    this.about = new AboutDocument(view, clock, ticker, pacer);
    this.rules = new RulesDocument(view, clock, ticker, pacer);
    this.flows = new FlowsDocument(view, clock);
    this.checks = new ChecksDocument(ticker);
    this.listeners = new ListenersDocument(view);
    this.probes = new ProbesDocument(view, ticker);
    this.traces = new TraceDocument(view, ticker, pacer);
    this.changes = new ChangesDocument(view, clock);
  }

  /// A code and a document, which is a Status where the code is not 200.
  public record Answer(int code, ObjectNode body) {}

  /// Answers; never throws but when the thread is interrupted.
  public Answer answer(NodeApiRequest request) throws InterruptedException {
    try {
      rates.count(request.user());
      ObjectNode body = document(request);
      ObjectNode whole = Json.object().put("apiVersion", VERSION);
      whole.setAll(body);
      return new Answer(200, whole);
    } catch (ApiException e) {
      return refused(e.status());
    } catch (SystemCallException
        | DataPlaneException
        | UncheckedIOException
        | IllegalStateException e) {
      log.atWarn().addKeyValue("path", request.path()).setCause(e).log("a question has no answer");
      return refused(Status.of(500, "InternalError", String.valueOf(e.getMessage())));
    }
  }

  private static Answer refused(Status status) {
    return new Answer(status.code(), status.toJson());
  }

  private ObjectNode document(NodeApiRequest request) throws InterruptedException {
    if (!HEAVY.contains(request.path())) {
      return light(request);
    }
    readings.acquire();
    try {
      return light(request);
    } finally {
      readings.release();
    }
  }

  private ObjectNode light(NodeApiRequest request) throws InterruptedException {
    boolean either = request.path().equals("traces");
    if (!either && request.path().equals("probes") != request.isPost()) {
      throw ApiException.methodNotAllowed();
    }
    return switch (request.path()) {
      case "about" -> about.answer(request);
      case "rules" -> rules.answer(request);
      case "rules/summary" -> rules.summary();
      case "flows" -> flows.answer(request);
      case "checks" -> checks.answer(view.nodeName());
      case "drops" -> drops();
      case "changes" -> changes.answer(request);
      case "listeners" -> listeners.answer(request);
      case "probes" -> probes.answer(request);
      case "traces" -> request.isPost() ? traces.answer(request) : traces.soFar();
      default -> throw ApiException.noSuchResource();
    };
  }

  private ObjectNode drops() {
    return drops(view.nodeName(), view.policyDrops().orElseThrow(ApiException::noSuchResource));
  }

  /// The document `NodeDrops`: what NetworkPolicies dropped on a node.
  public static ObjectNode drops(String node, ArrayNode drops) {
    ObjectNode document =
        Json.object().put("apiVersion", VERSION).put("kind", "NodeDrops").put("node", node);
    document.set("drops", drops);
    return document;
  }
}
