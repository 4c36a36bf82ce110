package io.fairlead.bench.policy;

import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.nftables.Chain;
import io.fairlead.kernel.nftables.DataType;
import io.fairlead.kernel.nftables.Expression;
import io.fairlead.kernel.nftables.Hook;
import io.fairlead.kernel.nftables.NftData;
import io.fairlead.kernel.nftables.NftFamily;
import io.fairlead.kernel.nftables.NftRule;
import io.fairlead.kernel.nftables.NftRuleBuilder;
import io.fairlead.kernel.nftables.NftVerdict;
import io.fairlead.kernel.nftables.Nftables;
import io.fairlead.kernel.nftables.SetElement;
import io.fairlead.kernel.nftables.SetSpecification;
import io.fairlead.kernel.nftables.Table;
import io.fairlead.kernel.nftables.Transaction;
import io.fairlead.policy.core.PolicyPod;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The usual layout, to compare with: a chain for each local pod and direction, which jumps to a
/// chain for each policy that selects it, which looks peers up in an address set of its own.
final class ChainLayout implements AutoCloseable {
  private static final Table TABLE = new Table(NftFamily.IP, "chains");
  private static final List<DataType> ADDRESS = List.of(DataType.IPV4_ADDRESS);
  private static final SetSpecification IN = SetSpecification.verdictMap("in", ADDRESS, "");
  private static final SetSpecification OUT = SetSpecification.verdictMap("out", ADDRESS, "");
  private static final NftVerdict INGRESS = NftVerdict.go("ingress");
  private static final int BATCH = 200;

  private final Nftables nftables = Nftables.open();
  private final Map<String, SetSpecification> peers = new HashMap<>();

  /// The steps of its rules.
  private static final class Rules extends NftRuleBuilder<Rules> {
    private static final int ESTABLISHED_OR_RELATED = 6;

    Rules() {
      super(true);
    }

    @Override
    protected Rules self() {
      return this;
    }

    NftRule known() {
      add(new Expression.Connection(Expression.Connection.STATE, 0));
      add(new Expression.Bitwise(0, 0, NftData.host32(ESTABLISHED_OR_RELATED), NftData.host32(0)));
      return compare(false, NftData.host32(0)).end("", NftVerdict.ACCEPT);
    }

    NftRule dispatch(boolean source, String map) {
      begin();
      Rules loaded = source ? source() : destination();
      loaded.add(Expression.Lookup.decide(map, 0));
      return loaded.end("");
    }

    NftRule peer(boolean source, String set, int port, NftVerdict verdict) {
      begin();
      if (source) {
        source();
      } else {
        destination();
      }
      in(set);
      begin();
      add(new Expression.Payload(Expression.Payload.TRANSPORT, 2, 2, 0));
      return compare(true, NftData.of((byte) (port >> 8), (byte) port)).end("", verdict);
    }
  }

  private static NftData key(IpAddress address) {
    return NftData.wrap(address.toBytes());
  }

  private static IpAddress address(PolicyPod pod) {
    return pod.address(IpAddress.Family.IPV4).orElseThrow();
  }

  private static String app(PolicyPod pod) {
    return pod.namespace() + "-" + pod.labels().get("app");
  }

  /// The workload before or after one in its row.
  private static String neighbour(String app, boolean before) {
    int end = app.lastIndexOf('w') + 1;
    int workload = Integer.parseInt(app.substring(end));
    return app.substring(0, end) + (workload + (before ? 4 : 1)) % 5;
  }

  /// Everything from nothing.
  void load(SyntheticPolicies cluster) {
    Transaction first = nftables.transaction().addTable(TABLE, "");
    first.addSet(TABLE, IN).addSet(TABLE, OUT);
    first.addChain(TABLE, new Chain("forward", new Hook("filter", Hook.FORWARD, -5), ""));
    first.addChain(TABLE, Chain.plain("ingress", ""));
    first.addRule(TABLE, "forward", new Rules().known());
    first.addRule(TABLE, "forward", new Rules().dispatch(true, OUT.name()));
    first.addRule(TABLE, "forward", new Rules().end("", INGRESS));
    first.addRule(TABLE, "ingress", new Rules().dispatch(false, IN.name()));
    first.addRule(TABLE, "ingress", new Rules().end("", NftVerdict.ACCEPT));
    first.commit();
    Transaction sets = nftables.transaction();
    Map<String, List<SetElement>> members = new HashMap<>();
    for (PolicyPod pod : cluster.pods()) {
      members
          .computeIfAbsent(app(pod), _ -> new ArrayList<>())
          .add(SetElement.of(key(address(pod))));
    }
    members.forEach(
        (app, elements) -> {
          SetSpecification set = SetSpecification.set("s-" + app, ADDRESS, "");
          peers.put(app, set);
          sets.addSet(TABLE, set).addElements(TABLE, set, elements);
        });
    sets.commit();
    Transaction policies = nftables.transaction();
    int number = 0;
    for (String app : members.keySet()) {
      for (String direction : List.of("i-", "e-")) {
        boolean in = direction.equals("i-");
        policies.addChain(TABLE, Chain.plain(direction + app, ""));
        policies.addRule(
            TABLE,
            direction + app,
            new Rules()
                .peer(in, "s-" + neighbour(app, in), 8080, in ? NftVerdict.ACCEPT : INGRESS));
      }
      if (++number % BATCH == 0) {
        policies.commit();
        policies = nftables.transaction();
      }
    }
    policies.commit();
    List<PolicyPod> local =
        cluster.pods().stream().filter(pod -> pod.node().equals(SyntheticPolicies.NODE)).toList();
    for (int from = 0; from < local.size(); from += BATCH) {
      Transaction pods = nftables.transaction();
      local.subList(from, Math.min(local.size(), from + BATCH)).forEach(pod -> add(pods, pod));
      pods.commit();
    }
  }

  private void add(Transaction transaction, PolicyPod pod) {
    String name = pod.metadata().name();
    for (String direction : List.of("i-", "e-")) {
      String chain = direction + name;
      transaction.addChain(TABLE, Chain.plain(chain, ""));
      transaction.addRule(TABLE, chain, new Rules().end("", NftVerdict.jump(direction + app(pod))));
      transaction.addRule(TABLE, chain, new Rules().end("", NftVerdict.DROP));
      transaction.addElements(
          TABLE,
          direction.equals("i-") ? IN : OUT,
          List.of(SetElement.of(key(address(pod)), NftVerdict.jump(chain))));
    }
  }

  /// A pod of this node appears; its address is in the set of its workload too.
  void addLocal(PolicyPod pod) {
    Transaction transaction = nftables.transaction();
    add(transaction, pod);
    transaction.addElements(TABLE, peers(pod), List.of(SetElement.of(key(address(pod)))));
    transaction.commit();
  }

  private SetSpecification peers(PolicyPod pod) {
    return java.util.Objects.requireNonNull(peers.get(app(pod)));
  }

  void removeLocal(PolicyPod pod) {
    Transaction transaction = nftables.transaction();
    SetElement element = SetElement.of(key(address(pod)));
    String name = pod.metadata().name();
    for (String direction : List.of("i-", "e-")) {
      transaction.deleteElements(TABLE, direction.equals("i-") ? IN : OUT, List.of(element));
      transaction.deleteChain(TABLE, direction + name);
    }
    transaction.deleteElements(TABLE, peers(pod), List.of(element));
    transaction.commit();
  }

  void addRemote(PolicyPod pod) {
    nftables
        .transaction()
        .addElements(TABLE, peers(pod), List.of(SetElement.of(key(address(pod)))))
        .commit();
  }

  void removeRemote(PolicyPod pod) {
    nftables
        .transaction()
        .deleteElements(TABLE, peers(pod), List.of(SetElement.of(key(address(pod)))))
        .commit();
  }

  @Override
  public void close() {
    nftables.close();
  }
}
