package io.fairlead.app.command.whatif;

import io.fairlead.api.net.IpAddress;
import io.fairlead.api.yaml.Yaml;
import io.fairlead.app.cli.Arguments;
import io.fairlead.app.cli.CommandContext;
import io.fairlead.app.cli.ErrorCode;
import io.fairlead.app.cli.ExitCode;
import io.fairlead.app.cli.FairleadException;
import io.fairlead.client.Client;
import io.fairlead.client.objects.V1Service;
import io.fairlead.insight.evidence.ServiceFacts;
import io.fairlead.insight.finding.SentenceCatalog;
import io.fairlead.insight.gather.Sources;
import io.fairlead.insight.nodrop.ConnectionProber;
import io.fairlead.insight.nodrop.ConntrackLookup;
import io.fairlead.insight.nodrop.EndpointFate;
import io.fairlead.insight.nodrop.LossJudge;
import io.fairlead.insight.nodrop.NoDropDocument;
import io.fairlead.insight.nodrop.NoDropReport;
import io.fairlead.insight.nodrop.RolloutObserver;
import io.fairlead.proxy.node.HostAddresses;
import io.fairlead.work.Pacer;
import io.fairlead.work.Tasks;
import io.fairlead.work.Ticker;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import tools.jackson.databind.node.ObjectNode;

/// One call of `nodrop`: connects, runs the command, judges, prints.
///
/// @param front what is called
record NodropSession(
    Arguments arguments,
    CommandContext context,
    ServiceFacts service,
    InetSocketAddress front,
    SentenceCatalog texts) {
  private static final Duration PATIENCE = Duration.ofSeconds(3);
  private static final double NANOS_PER_SECOND = 1e9;

  /// Refuses a Service without an address or TCP port to call.
  static NodropSession of(
      Arguments arguments, CommandContext context, ServiceFacts service, SentenceCatalog texts) {
    String wanted = arguments.find("port").orElse("");
    Optional<V1Service.Port> port =
        service.spec().spec().ports().stream()
            .filter(
                each ->
                    wanted.isEmpty()
                        || each.name().equals(wanted)
                        || Integer.toString(each.port()).equals(wanted))
            .filter(each -> each.protocol().isEmpty() || each.protocol().equals("TCP"))
            .findFirst();
    if (service.clusterIps().isEmpty() || port.isEmpty()) {
      throw new FairleadException(ErrorCode.FL155, service.key().toString());
    }
    try {
      InetAddress address =
          InetAddress.getByAddress(IpAddress.parse(service.clusterIps().getFirst()).toBytes());
      return new NodropSession(
          arguments, context, service, new InetSocketAddress(address, port.get().port()), texts);
    } catch (UnknownHostException e) {
      throw new IllegalStateException(e);
    }
  }

  int run(Client client, Sources sources) throws InterruptedException {
    Ticker ticker = Ticker.system();
    String place = sources.localNode().orElseGet(HostAddresses::hostName);
    ConnectionProber.Plan plan =
        new ConnectionProber.Plan(
            front,
            arguments.find("http"),
            place,
            arguments.number("rate"),
            arguments.number("long"),
            PATIENCE);
    long began = ticker.nanos();
    ConnectionProber.Outcome outcome;
    Optional<Integer> exit;
    Map<String, EndpointFate> fates;
    SortedMap<Instant, Integer> ready;
    try (RolloutObserver observer =
            new RolloutObserver(
                client,
                service.key(),
                service.selector(),
                sources,
                sources.localNode().orElse(""),
                context.clock());
        ConntrackLookup lookup = new ConntrackLookup();
        ConnectionProber prober = new ConnectionProber(plan, lookup, context.clock(), ticker)) {
      observer.start();
      prober.start();
      prober.awaitKept();
      began = ticker.nanos();
      exit = command();
      Pacer.system().pause(arguments.duration(exit.isEmpty() ? "duration" : "settle"));
      outcome = prober.finish();
      fates = observer.fates();
      ready = observer.ready();
    }
    NoDropReport report =
        new NoDropReport(
            arguments.operands().subList(1, arguments.operands().size()),
            exit,
            (ticker.nanos() - began) / NANOS_PER_SECOND,
            outcome.tally(),
            outcome.longLived(),
            new LossJudge(service.key(), fates, ready).judge(outcome.losses()));
    print(report, fates);
    return exit(report);
  }

  static int exit(NoDropReport report) {
    if (report.hasLosses()) {
      return ExitCode.FAULT_FOUND;
    }
    return report.commandFailed() || !report.isProof() ? ExitCode.COULD_NOT : ExitCode.FINE;
  }

  /// Runs the command with this program's own streams; what it prints does not mix with a document.
  private Optional<Integer> command() throws InterruptedException {
    List<String> words = arguments.operands().subList(1, arguments.operands().size());
    if (words.isEmpty()) {
      return Optional.empty();
    }
    boolean document = arguments.find("output").isPresent();
    ProcessBuilder builder = new ProcessBuilder(words).inheritIO();
    if (document) {
      builder.redirectOutput(ProcessBuilder.Redirect.PIPE);
    }
    try {
      Process process = builder.start();
      Thread copy =
          Tasks.start(
              "nodrop-output",
              () -> {
                if (document) {
                  process.getInputStream().transferTo(context.terminal().err());
                }
              });
      int exit = process.waitFor();
      copy.join();
      return Optional.of(exit);
    } catch (IOException e) {
      context.terminal().err().println(String.valueOf(e.getMessage()));
      return Optional.of(ExitCode.COULD_NOT);
    }
  }

  private void print(NoDropReport report, Map<String, EndpointFate> fates) {
    Optional<String> format = arguments.find("output");
    if (format.isEmpty()) {
      new NodropText(context, texts).print(report);
      return;
    }
    ObjectNode document =
        NoDropDocument.of(report, service.key().namespace(), service.key().name(), fates);
    context
        .terminal()
        .out()
        .print(
            format.get().equals("json") ? document.toPrettyString() + "\n" : Yaml.write(document));
  }
}
