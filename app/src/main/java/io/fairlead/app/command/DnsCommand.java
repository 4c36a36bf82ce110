package io.fairlead.app.command;

import io.fairlead.api.json.Json;
import io.fairlead.api.net.IpAddress;
import io.fairlead.api.status.ApiException;
import io.fairlead.api.yaml.Yaml;
import io.fairlead.app.cli.Arguments;
import io.fairlead.app.cli.Command;
import io.fairlead.app.cli.CommandContext;
import io.fairlead.app.cli.ErrorCode;
import io.fairlead.app.cli.ExitCode;
import io.fairlead.app.cli.FairleadException;
import io.fairlead.app.dns.DnsClient;
import io.fairlead.app.dns.NameAdvice;
import io.fairlead.app.dns.SearchList;
import io.fairlead.app.logging.Logging;
import io.fairlead.app.text.Columns;
import io.fairlead.app.text.Language;
import io.fairlead.client.Client;
import io.fairlead.client.ClientConfig;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.client.transport.ConnectionException;
import io.fairlead.client.transport.SocketTransport;
import io.fairlead.dns.wire.Rcode;
import io.fairlead.dns.wire.RecordType;
import io.fairlead.dns.wire.ResourceRecord;
import io.fairlead.insight.finding.Sentence;
import io.fairlead.insight.finding.SentenceCatalog;
import io.fairlead.work.Ticker;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// `fairlead dns NAME`: the questions a pod's resolver would ask, one after the other, and each
/// answer, up to the first that has an address.
public final class DnsCommand implements Command {
  private static final ResourceType SERVICES =
      new ResourceType("", "v1", "services", "Service", true);
  private static final ObjectKey SERVER = new ObjectKey("kube-system", "kube-dns");
  private static final int PORT = 53;

  @Override
  public int run(Arguments arguments, CommandContext context) {
    Logging.off();
    if (arguments.operands().isEmpty()) {
      throw new FairleadException(ErrorCode.FL308, "dns", "NAME");
    }
    Asking asking = asking(arguments, context);
    DnsClient lookup = new DnsClient(asking.server(), Ticker.system(), new SecureRandom());
    List<List<String>> rows = new ArrayList<>();
    ArrayNode queries = Json.array();
    String asked = arguments.operands().getFirst();
    boolean brief = arguments.on("short");
    String found = "";
    for (String name : asking.search().names(asked)) {
      for (int type : List.of(RecordType.A, RecordType.AAAA)) {
        if (ask(lookup, asking, name, type, brief, rows, queries)) {
          found = name;
        }
      }
      if (!found.isEmpty()) {
        break;
      }
    }
    if (arguments.find("output").isPresent()) {
      print(arguments, context, asking, queries);
    } else {
      context.terminal().out().print(Columns.table("", rows));
      if (!brief) {
        advise(arguments, context, asking, found, queries.size());
      }
    }
    return found.isEmpty() ? ExitCode.FAULT_FOUND : ExitCode.FINE;
  }

  /// Says where else the name would be found, or what it costs to find it like this.
  private void advise(
      Arguments arguments, CommandContext context, Asking asking, String found, int queries) {
    String asked = arguments.operands().getFirst();
    if (found.isEmpty()) {
      asking
          .namespace()
          .flatMap(each -> elsewhere(arguments, context, asked, each))
          .ifPresent(each -> print(each, "! ", context));
    } else {
      NameAdvice.expensive(asked, found, queries, arguments.text("cluster-domain"))
          .ifPresent(each -> print(each, "– ", context));
    }
  }

  /// Whom to ask, and how names are completed.
  ///
  /// @param namespace the client's; empty when the API was not asked and need not be there
  private record Asking(InetSocketAddress server, SearchList search, Optional<String> namespace) {}

  private static Optional<Sentence> elsewhere(
      Arguments arguments, CommandContext context, String asked, String namespace) {
    ClientConfig connection =
        ClientConfigLoader.find(arguments, context, arguments.path("kubeconfig"));
    try (Client client = new Client(new SocketTransport(connection, "fairlead-dns"))) {
      return NameAdvice.elsewhere(client, asked, namespace);
    } catch (ApiException | ConnectionException _) {
      // The answers themselves have been shown; this would only have been advice.
      return Optional.empty();
    }
  }

  private static void print(Sentence advice, String mark, CommandContext context) {
    SentenceCatalog texts =
        Language.of(context.environment()) == Language.ZH_CN
            ? SentenceCatalog.chinese()
            : SentenceCatalog.english();
    context.terminal().out().println(mark + texts.text(advice) + "   " + advice.key());
    String next = texts.text(new Sentence(advice.key() + ".next", advice.values()));
    if (!next.isEmpty()) {
      context.terminal().out().println(texts.text(Sentence.of("verdict.next", "next", next)));
    }
  }

  private static boolean ask(
      DnsClient lookup,
      Asking asking,
      String name,
      int type,
      boolean brief,
      List<List<String>> rows,
      ArrayNode queries) {
    DnsClient.Response answered;
    try {
      answered = lookup.ask(name, type);
    } catch (IOException e) {
      throw new FairleadException(
          ErrorCode.FL150,
          e,
          asking.server().toString().substring(1),
          String.valueOf(e.getMessage()));
    }
    List<ResourceRecord> answer = answered.reply().answer();
    document(queries.addObject(), name, type, answered);
    for (ResourceRecord each : answer) {
      List<String> row = new ArrayList<>();
      row.add(each.owner().toString());
      row.add(RecordType.name(each.type()));
      row.add(each.data().toString());
      if (!brief) {
        row.add("TTL " + each.ttl());
        row.add(milliseconds(answered.nanos()));
      }
      rows.add(row);
    }
    if (answer.isEmpty() && !brief) {
      rows.add(
          List.of(
              name,
              RecordType.name(type),
              denial(answered.reply().rcode()),
              "",
              milliseconds(answered.nanos())));
    }
    return answer.stream().anyMatch(each -> each.type() == type);
  }

  private static void document(ObjectNode out, String name, int type, DnsClient.Response answered) {
    out.put("name", name)
        .put("type", RecordType.name(type))
        .put("rcode", Rcode.name(answered.reply().rcode()))
        .put("micros", answered.nanos() / 1000);
    ArrayNode records = out.putArray("answers");
    for (ResourceRecord each : answered.reply().answer()) {
      records
          .addObject()
          .put("owner", each.owner().toString())
          .put("type", RecordType.name(each.type()))
          .put("data", each.data().toString())
          .put("ttl", each.ttl());
    }
  }

  private static void print(
      Arguments arguments, CommandContext context, Asking asking, ArrayNode queries) {
    ObjectNode document =
        Json.object()
            .put("apiVersion", "cli.fairlead.dev/v1")
            .put("kind", "NameQueries")
            .put("server", asking.server().toString().substring(1));
    document.set("queries", queries);
    context
        .terminal()
        .out()
        .print(
            arguments.text("output").equals("yaml")
                ? Yaml.write(document)
                : document.toPrettyString() + "\n");
  }

  private static String denial(int rcode) {
    return rcode == Rcode.NOERROR ? "NODATA" : Rcode.name(rcode);
  }

  private static String milliseconds(long nanos) {
    return String.format(Locale.ROOT, "%.1f ms", nanos / 1e6);
  }

  private static ObjectNode pod(Client client, String from, String namespace) {
    ObjectKey key = new ObjectKey(namespace, from.replaceFirst("^(pods?|po)/", ""));
    return client
        .find(ResourceType.PODS, key)
        .orElseThrow(
            () ->
                new FairleadException(
                    ErrorCode.FL303, "--from", from, "pod/NAME, a pod of namespace " + namespace));
  }

  /// The API is asked only for what the flags do not say.
  private static Asking asking(Arguments arguments, CommandContext context) {
    Optional<String> server = arguments.find("server");
    String zone = arguments.text("cluster-domain");
    if (server.isPresent() && arguments.find("from").isEmpty()) {
      String namespace = arguments.find("namespace").orElse("default");
      return new Asking(address(server.get()), SearchList.of(namespace, zone), Optional.empty());
    }
    ClientConfig connection =
        ClientConfigLoader.find(arguments, context, arguments.path("kubeconfig"));
    String namespace = arguments.find("namespace").orElse(connection.namespace());
    try (Client client = new Client(new SocketTransport(connection, "fairlead-dns"))) {
      SearchList search = SearchList.of(namespace, zone);
      if (arguments.find("from").isPresent()) {
        search = of(pod(client, arguments.text("from"), namespace), search);
      }
      return new Asking(
          server.map(DnsCommand::address).orElseGet(() -> address(client)),
          search,
          Optional.of(namespace));
    } catch (ApiException | ConnectionException e) {
      throw new FairleadException(ErrorCode.FL217, e, String.valueOf(e.getMessage()));
    }
  }

  private static InetSocketAddress address(Client client) {
    return address(Json.textOr(client.get(SERVICES, SERVER), "127.0.0.1", "spec", "clusterIP"));
  }

  /// `10.96.0.10`, `10.96.0.10:53`, `[fd00::a]:53`.
  private static InetSocketAddress address(String text) {
    String host = text;
    int port = PORT;
    int colon = text.lastIndexOf(':');
    if (IpAddress.parseOrNull(text) == null && colon > 0) {
      host = text.substring(0, colon).replaceAll("^\\[|]$", "");
      String digits = text.substring(colon + 1);
      port = digits.matches("\\d{1,5}") ? Integer.parseInt(digits) : -1;
    }
    if (IpAddress.parseOrNull(host) == null || port < 1 || port > 65_535) {
      throw new FairleadException(ErrorCode.FL303, "--server", text, "ADDRESS[:PORT]");
    }
    return new InetSocketAddress(InetAddress.ofLiteral(host), port);
  }

  /// What the pod's own `dnsConfig` adds.
  private static SearchList of(ObjectNode pod, SearchList usual) {
    JsonNode own = Json.at(pod, "spec", "dnsConfig");
    List<String> domains =
        new ArrayList<>(
            Json.textOr(pod, "ClusterFirst", "spec", "dnsPolicy").equals("None")
                ? List.of()
                : usual.domains());
    own.path("searches").forEach(each -> domains.add(each.asString("")));
    int ndots = usual.ndots();
    for (JsonNode option : own.path("options")) {
      String value = Json.textOr(option, "", "value");
      if (Json.textOr(option, "", "name").equals("ndots") && value.matches("\\d{1,2}")) {
        ndots = Integer.parseInt(value);
      }
    }
    return new SearchList(domains, ndots);
  }
}
