package io.fairlead.app.command;

import io.fairlead.api.json.DecodeException;
import io.fairlead.api.json.Json;
import io.fairlead.api.net.IpAddress;
import io.fairlead.api.yaml.Yaml;
import io.fairlead.app.cli.Arguments;
import io.fairlead.app.cli.CommandContext;
import io.fairlead.app.cli.ErrorCode;
import io.fairlead.app.cli.ExitCode;
import io.fairlead.app.cli.FairleadException;
import io.fairlead.client.Client;
import io.fairlead.client.ObjectKey;
import io.fairlead.insight.simulate.PolicyModel;
import io.fairlead.policy.core.ConnectionExplanation;
import io.fairlead.policy.core.IpProtocol;
import io.fairlead.policy.core.NetworkPolicy;
import io.fairlead.policy.core.NetworkPolicyReader;
import io.fairlead.policy.core.Oracle;
import io.fairlead.policy.core.PolicySimulation;
import io.fairlead.policy.runtime.DropReason;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ObjectNode;

/// `fairlead policy explain FROM TO` and `fairlead policy simulate -f FILE`: what policies say, or
/// would say, from the objects in the API. No packet is sent.
final class PolicyQuestions {
  private static final int ICMP = 1;
  private static final int ICMP_V6 = 58;
  private static final int SHOWN = 10;
  private static final int MAX_PORT = 65535;

  private final Arguments arguments;
  private final CommandContext context;

  PolicyQuestions(Arguments arguments, CommandContext context) {
    this.arguments = arguments;
    this.context = context;
  }

  int answer(Client client) {
    String question = arguments.operands().getFirst();
    return switch (question) {
      case "explain" -> explain(client);
      case "simulate" -> simulate(client);
      default ->
          throw new FairleadException(ErrorCode.FL303, "policy", question, "explain, simulate");
    };
  }

  /// Where a connection goes.
  ///
  /// @param port 0 for none, as in ICMP
  private record Destination(String host, int port, int protocol) {
    /// `x/a:81/UDP`, `10.0.0.1:80`, `[fd00::1]:80`, `x/a`.
    static Destination parse(String text) {
      int protocol = 0;
      String rest = text;
      for (IpProtocol each : IpProtocol.values()) {
        if (rest.toUpperCase(Locale.ROOT).endsWith("/" + each.name())) {
          protocol = each.number();
          rest = rest.substring(0, rest.length() - each.name().length() - 1);
        }
      }
      int colon = rest.lastIndexOf(':');
      if (colon < 0 || IpAddress.parseOrNull(rest) != null) {
        return new Destination(rest, 0, protocol);
      }
      String number = rest.substring(colon + 1);
      if (!number.matches("[0-9]{1,5}") || Integer.parseInt(number) > MAX_PORT) {
        throw new FairleadException(ErrorCode.FL303, "TO", text, "NAMESPACE/POD:PORT/PROTOCOL");
      }
      return new Destination(
          rest.substring(0, colon).replaceAll("^\\[|\\]$", ""),
          Integer.parseInt(number),
          protocol == 0 ? IpProtocol.TCP.number() : protocol);
    }
  }

  private int explain(Client client) {
    if (arguments.operands().size() < 3) {
      throw new FairleadException(ErrorCode.FL308, "policy explain", "FROM TO[:PORT][/PROTOCOL]");
    }
    PolicyModel model = PolicyModel.read(client);
    Destination to = Destination.parse(arguments.operands().get(2));
    List<IpAddress> sources = addresses(model, "FROM", arguments.operands().get(1));
    List<IpAddress> destinations = addresses(model, "TO", to.host());
    IpAddress source = sources.getFirst();
    IpAddress destination =
        destinations.stream()
            .filter(each -> sources.stream().anyMatch(one -> one.family() == each.family()))
            .findFirst()
            .orElse(destinations.getFirst());
    if (source.family() != destination.family()) {
      source =
          sources.stream()
              .filter(each -> each.family() == destination.family())
              .findFirst()
              .orElseThrow(
                  () ->
                      new FairleadException(
                          ErrorCode.FL303,
                          "TO",
                          to.host(),
                          "an address of the same family as FROM"));
    }
    int protocol =
        to.protocol() != 0
            ? to.protocol()
            : destination.family() == IpAddress.Family.IPV4 ? ICMP : ICMP_V6;
    Oracle oracle = model.oracle(source, destination);
    ConnectionExplanation answer = oracle.explain(source, destination, protocol, to.port());
    print(oracle, answer);
    return answer.isAllowed() ? ExitCode.FINE : ExitCode.FAULT_FOUND;
  }

  private static List<IpAddress> addresses(PolicyModel model, String operand, String text) {
    IpAddress address = IpAddress.parseOrNull(text);
    if (address != null) {
      return List.of(address);
    }
    String name = text.startsWith("pod/") ? "default/" + text.substring(4) : text;
    int slash = name.indexOf('/');
    ObjectKey key =
        slash < 0
            ? new ObjectKey("default", name)
            : new ObjectKey(name.substring(0, slash), name.substring(slash + 1));
    return model
        .pod(key)
        .map(pod -> pod.addresses())
        .filter(found -> !found.isEmpty())
        .map(List::copyOf)
        .orElseThrow(
            () ->
                new FairleadException(
                    ErrorCode.FL303,
                    operand,
                    text,
                    "an address, or NAMESPACE/POD of one that has"));
  }

  private void print(Oracle oracle, ConnectionExplanation answer) {
    PrintStream out = context.terminal().out();
    out.println(
        context.text(
            answer.isAllowed() ? "policy.explain.allowed" : "policy.explain.denied",
            name(oracle, answer.source()),
            name(oracle, answer.destination()),
            what(answer.protocol(), answer.port())));
    switch (answer.basis()) {
      case SAME_POD -> out.println("  " + context.text("policy.explain.same"));
      case OWN_NODE -> out.println("  " + context.text("policy.explain.node"));
      case POLICIES -> {
        for (ConnectionExplanation.End end : answer.ends()) {
          out.println("  " + end.direction() + "  " + said(oracle, end, answer));
        }
        DropReason.of(oracle, answer)
            .flatMap(DropReason::next)
            .ifPresent(next -> out.println("  " + context.text("policy.explain.next", next)));
      }
    }
  }

  private String said(Oracle oracle, ConnectionExplanation.End end, ConnectionExplanation answer) {
    if (end.pod().isEmpty()) {
      return context.text("policy.explain.nopod", end.address().toString());
    }
    String pod = end.pod().get().key().toString();
    if (!end.isIsolated()) {
      return context.text("policy.explain.open", pod);
    }
    if (end.allows()) {
      return context.text(
          "policy.explain.by",
          pod,
          end.allowedBy().stream().map(Object::toString).collect(Collectors.joining(", ")));
    }
    return answer
        .denying()
        .filter(end::equals)
        .flatMap(_ -> DropReason.of(oracle, answer))
        .map(reason -> reason.code() + " " + reason.text())
        .orElseGet(
            () ->
                context.text(
                    "policy.explain.too",
                    pod,
                    end.isolatedBy().stream()
                        .map(ObjectKey::toString)
                        .collect(Collectors.joining(", "))));
  }

  private static String name(Oracle oracle, IpAddress address) {
    return oracle.pod(address).map(pod -> pod.key().toString()).orElse(address.toString());
  }

  private static String what(int protocol, int port) {
    return port == 0 ? IpProtocol.text(protocol) : port + "/" + IpProtocol.text(protocol);
  }

  private int simulate(Client client) {
    Path file =
        arguments
            .path("filename")
            .orElseThrow(
                () -> new FairleadException(ErrorCode.FL308, "policy simulate", "-f FILE"));
    List<NetworkPolicy> changed = read(file);
    PolicyModel model = PolicyModel.read(client);
    Oracle after = model.objects().with(changed).oracle();
    List<PolicySimulation.Effect> effects =
        PolicySimulation.compare(
            model.objects().oracle(), after, model.pods(), model.outside(changed), model.targets());
    PrintStream out = context.terminal().out();
    boolean cut = false;
    for (PolicySimulation.Effect effect : effects) {
      PolicySimulation.Target target = effect.target();
      cut |= !effect.cut().isEmpty();
      out.println(
          context.text(
              "policy.simulate.service",
              target.service().toString(),
              target.pod().key().toString(),
              what(target.protocol(), target.port()),
              effect.cut().size(),
              effect.opened().size(),
              effect.kept()));
      effect.cut().stream()
          .limit(SHOWN)
          .forEach(
              loss ->
                  out.println(
                      "  ✗ "
                          + name(loss.client())
                          + "  "
                          + DropReason.of(after, loss.why())
                              .map(reason -> reason.code() + " " + reason.text())
                              .orElse("")));
      effect.opened().stream().limit(SHOWN).forEach(each -> out.println("  ✓ " + name(each)));
    }
    if (effects.isEmpty()) {
      out.println(context.text("policy.simulate.nothing"));
    }
    return cut ? ExitCode.FAULT_FOUND : ExitCode.FINE;
  }

  private String name(PolicySimulation.Caller client) {
    return client.pod().isPresent()
        ? client.toString()
        : context.text("policy.simulate.outside", client.toString());
  }

  /// All NetworkPolicies of a file.
  private List<NetworkPolicy> read(Path file) {
    List<NetworkPolicy> policies = new ArrayList<>();
    try {
      for (ObjectNode object : Yaml.objects(Files.readString(file))) {
        if (Json.textOr(object, "", "kind").equals("NetworkPolicy")) {
          ObjectNode metadata = Json.child(object, "metadata");
          if (Json.textOr(metadata, "", "namespace").isEmpty()) {
            metadata.put("namespace", "default");
          }
          policies.add(NetworkPolicyReader.read(object));
        }
      }
    } catch (IOException | DecodeException e) {
      throw bad(file, Optional.ofNullable(e.getMessage()).orElse(""));
    }
    if (policies.isEmpty()) {
      throw bad(file, "");
    }
    return policies;
  }

  private static FairleadException bad(Path file, String why) {
    return new FairleadException(
        ErrorCode.FL303, "--filename", file + (why.isEmpty() ? "" : ": " + why), "NetworkPolicies");
  }
}
