package io.fairlead.proxy.mode;

import io.fairlead.kernel.nftables.Chain;
import io.fairlead.kernel.nftables.Hook;
import io.fairlead.kernel.nftables.ListedRule;
import io.fairlead.kernel.nftables.NftData;
import io.fairlead.kernel.nftables.NftFamily;
import io.fairlead.kernel.nftables.NftRule;
import io.fairlead.kernel.nftables.NftRuleBuilder;
import io.fairlead.kernel.nftables.NftVerdict;
import io.fairlead.kernel.nftables.Nftables;
import io.fairlead.kernel.nftables.Table;
import io.fairlead.kernel.nftables.Transaction;
import io.fairlead.kernel.process.ProcessExitHook;
import io.fairlead.kernel.syscall.Errno;
import io.fairlead.kernel.syscall.SystemCallException;
import io.fairlead.proxy.node.SysctlFiles;
import java.io.IOException;
import java.util.List;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Opens 127.0.0.0/8 for node ports (`route_localnet`) and keeps neighbours out of it
/// (CVE-2020-8558).
///
/// How it works: the sysctl lets packets for 127.0.0.0/8 in through every interface. A table of its
/// own, `fairlead-loopback`, drops them before any address is translated. Where the kernel can (6.9
/// and later) the table belongs to this process: `nft flush ruleset` of another program passes it
/// by, and a process that dies leaves the table behind. Without an owner it can be flushed, so the
/// sysctl goes back with the proxy: a proxy that ends in order does it first, and for one that is
/// killed a [ProcessExitHook] does. The comment of the rule holds the value of the sysctl as it was
/// found, for this process, the next one and `--cleanup`.
///
/// Where another program has set the sysctl, for instance a kube-proxy whose rules go now, only the
/// table is written and the sysctl stays.
///
/// Used by one thread at a time. Everything happens in the network namespace of that thread.
final class LoopbackGuard implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(LoopbackGuard.class);
  private static final String SYSCTL = "net/ipv4/conf/all/route_localnet";
  private static final Table TABLE = new Table(NftFamily.IP, "fairlead-loopback");
  private static final String CHAIN = "neighbours";
  // Before conntrack (-200) and thus before every translation: NF_IP_PRI_RAW.
  private static final int PRIORITY = -300;
  private static final NftData LOOPBACK = NftData.wrap(new byte[] {127, 0, 0, 0});
  private static final Pattern FOUND = Pattern.compile("route_localnet was (\\d)");

  private final SysctlFiles sysctls;
  private @Nullable Nftables owner;
  private @Nullable ProcessExitHook hook;
  private boolean opened;
  private int found;

  LoopbackGuard(SysctlFiles sysctls) {
    this.sysctls = sysctls;
  }

  /// Lets node ports answer on 127.0.0.0/8, and this machine alone use them. Writes nothing twice.
  void open() {
    guard();
    if (!opened) {
      shutWhenKilled();
    }
    opened = true;
    boolean _ = sysctls.write(SYSCTL, 1);
  }

  private void shutWhenKilled() {
    try {
      hook = ProcessExitHook.of("echo " + found + " > '" + sysctls.root().resolve(SYSCTL) + "'");
    } catch (IOException e) {
      log.atWarn()
          .addKeyValue("why", e.getMessage())
          .log(
              "no shell can be started: if this process is killed, 127.0.0.0/8 stays open, and a"
                  + " program that flushes all rules lets neighbours in");
    }
  }

  /// Keeps neighbours out where another program has opened 127.0.0.0/8.
  void keep() {
    if (sysctls.read(SYSCTL, 0) == 1) {
      guard();
    }
  }

  private void guard() {
    if (owner != null || opened) {
      return;
    }
    found = sysctls.read(SYSCTL, 0);
    Nftables nftables;
    try {
      nftables = Nftables.open();
    } catch (SystemCallException e) {
      withoutTable(e);
      return;
    }
    try {
      found = recorded(nftables).orElse(found);
      write(nftables, nftables.tables(TABLE.family()).contains(TABLE));
      owner = nftables;
    } catch (SystemCallException e) {
      nftables.close();
      withoutTable(e);
    }
  }

  /// A kernel with iptables alone: the rules of that mode are the guard.
  private static void withoutTable(SystemCallException e) {
    log.atWarn()
        .addKeyValue("why", e.getMessage())
        .log("rules of iptables alone guard 127.0.0.0/8: a program that flushes them opens it");
  }

  private void write(Nftables nftables, boolean exists) {
    try {
      write(nftables, exists, true);
    } catch (SystemCallException e) {
      if (!e.errno().equals(Errno.EOPNOTSUPP) && !e.errno().equals(Errno.EINVAL)) {
        throw e;
      }
      write(nftables, exists, false);
      log.atWarn()
          .log(
              "this kernel knows no tables with an owner (Linux 6.9): a program that flushes all"
                  + " rules opens 127.0.0.0/8 to neighbours until the proxy has written them"
                  + " again");
    }
  }

  private void write(Nftables nftables, boolean exists, boolean own) {
    Transaction transaction = nftables.transaction();
    if (exists) {
      transaction.deleteTable(TABLE);
    }
    String comment = "Fairlead: keeps neighbours from 127.0.0.0/8";
    if (own) {
      transaction.addOwnTable(TABLE, comment);
    } else {
      transaction.addTable(TABLE, comment);
    }
    transaction
        .addChain(TABLE, new Chain(CHAIN, new Hook("filter", Hook.PREROUTING, PRIORITY), ""))
        .addRule(TABLE, CHAIN, rule("route_localnet was " + found))
        .commit();
  }

  private static NftRule rule(String comment) {
    return new LoopbackRule()
        .inputInterface("lo", false, false)
        .address(false, LOOPBACK, 8, true)
        .end(comment, NftVerdict.DROP);
  }

  /// What a table that is there says about the sysctl before.
  private static OptionalInt recorded(Nftables nftables) {
    for (List<ListedRule> rules : nftables.rules(TABLE).values()) {
      for (ListedRule rule : rules) {
        Matcher matcher = FOUND.matcher(rule.rule().comment());
        if (matcher.find()) {
          return OptionalInt.of(Integer.parseInt(matcher.group(1)));
        }
      }
    }
    return OptionalInt.empty();
  }

  /// Puts the sysctl back as it was found, where [#open] set it, and takes the table away if
  /// nothing is left to guard.
  void shut() {
    if (!opened) {
      return;
    }
    opened = false;
    boolean _ = sysctls.write(SYSCTL, found);
    endHook();
    Nftables nftables = owner;
    if (nftables != null && sysctls.read(SYSCTL, 0) == 0) {
      nftables.remove(TABLE, List.of(CHAIN));
      close();
    }
  }

  /// Undoes what an earlier process left: the sysctl as it was found, and no table.
  ///
  /// @throws SystemCallException when another process owns the table: its proxy still runs
  static void cleanUp(SysctlFiles sysctls) {
    Nftables opened;
    try {
      opened = Nftables.open();
    } catch (SystemCallException e) {
      log.atDebug().addKeyValue("why", e.getMessage()).log("this kernel has no nftables");
      return;
    }
    try (Nftables nftables = opened) {
      OptionalInt before = recorded(nftables);
      if (before.isPresent()) {
        boolean _ = sysctls.write(SYSCTL, before.getAsInt());
      }
      nftables.remove(TABLE, List.of(CHAIN));
    }
  }

  private void endHook() {
    if (hook != null) {
      hook.close();
      hook = null;
    }
  }

  /// Lets go of the table, which stays, and of the sysctl.
  @Override
  public void close() {
    endHook();
    if (owner != null) {
      owner.close();
      owner = null;
    }
  }

  private static final class LoopbackRule extends NftRuleBuilder<LoopbackRule> {
    LoopbackRule() {
      super(true);
    }

    @Override
    protected LoopbackRule self() {
      return this;
    }
  }
}
