package io.fairlead.dns.loadbalance;

import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.dns.plugin.ChainPlugin;
import io.fairlead.dns.plugin.DnsAnswer;
import io.fairlead.dns.plugin.Handler;
import io.fairlead.dns.plugin.InstanceContext;
import io.fairlead.dns.plugin.Query;
import io.fairlead.dns.plugin.Reply;
import io.fairlead.dns.wire.Name;
import io.fairlead.dns.wire.Rcode;
import io.fairlead.dns.wire.RecordData;
import io.fairlead.dns.wire.RecordType;
import io.fairlead.dns.wire.ResourceRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Reorders answers.
final class LoadbalancePlugin implements ChainPlugin {
  private static final int SHUFFLED = 8;

  /// @param weights the file of `weighted`; null for `round_robin`
  /// @param reload how often that file is read again
  /// @param limit the most records of an answer; 0 for all
  record Options(@Nullable Path weights, Duration reload, List<Cidr> preferred, int limit) {
    Options {
      preferred = List.copyOf(preferred);
    }
  }

  private final Options options;
  private final @Nullable AddressWeights weights;
  private final List<Cidr> preferred;
  private final int limit;
  private final RandomGenerator random;

  LoadbalancePlugin(Options options, InstanceContext instance) throws IOException {
    this.options = options;
    this.weights =
        options.weights() == null
            ? null
            : new AddressWeights(options.weights(), options.reload(), instance);
    this.preferred = options.preferred();
    this.limit = options.limit();
    this.random = instance.random();
  }

  @Override
  public String name() {
    return "loadbalance";
  }

  @Override
  public List<? extends Record> options() {
    return List.of(options);
  }

  /// Our own data leaves in an order of chance anyway.
  @Override
  public boolean passesOwnData(Name zone) {
    return weights == null && preferred.isEmpty() && limit == 0;
  }

  @Override
  public void start() {
    if (weights != null) {
      weights.start();
    }
  }

  @Override
  public void stop() {
    if (weights != null) {
      weights.close();
    }
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
    DnsAnswer answer = next.handle(query);
    if (!(answer instanceof Reply reply) || reply.rcode() != Rcode.NOERROR) {
      return answer;
    }
    List<ResourceRecord> ordered = order(reply.answer());
    boolean alike = fewerThanTwo(reply.answer()) && fewerThanTwo(reply.additional());
    return reply
        .withValidity(alike ? reply.validity() : null)
        .withAnswer(limit > 0 && ordered.size() > limit ? ordered.subList(0, limit) : ordered)
        .withAdditional(order(reply.additional()));
  }

  /// Whether there is nothing to choose an order for.
  private static boolean fewerThanTwo(List<ResourceRecord> records) {
    int chosen = 0;
    for (ResourceRecord each : records) {
      switch (each.type()) {
        case RecordType.A, RecordType.AAAA, RecordType.MX, RecordType.SRV -> chosen++;
        default -> {}
      }
    }
    return chosen < 2;
  }

  private List<ResourceRecord> order(List<ResourceRecord> records) {
    if (records.size() < 2) {
      return records;
    }
    List<ResourceRecord> aliases = new ArrayList<>();
    List<ResourceRecord> others = new ArrayList<>();
    List<ResourceRecord> addresses = new ArrayList<>();
    List<ResourceRecord> services = new ArrayList<>();
    for (ResourceRecord each : records) {
      switch (each.type()) {
        case RecordType.CNAME, RecordType.DNAME -> aliases.add(each);
        case RecordType.A, RecordType.AAAA -> addresses.add(each);
        case RecordType.MX, RecordType.SRV -> services.add(each);
        default -> others.add(each);
      }
    }
    if (weights == null) {
      mix(addresses);
      mix(services);
    } else {
      weighted(addresses, weights);
    }
    if (!preferred.isEmpty()) {
      addresses.sort((a, b) -> Boolean.compare(!isPreferred(a), !isPreferred(b)));
    }
    List<ResourceRecord> ordered = new ArrayList<>(aliases);
    ordered.addAll(others);
    ordered.addAll(addresses);
    ordered.addAll(services);
    return ordered;
  }

  private void mix(List<ResourceRecord> records) {
    if (records.size() > SHUFFLED) {
      Collections.rotate(records, random.nextInt(records.size()));
      return;
    }
    for (int i = records.size() - 1; i > 0; i--) {
      Collections.swap(records, i, random.nextInt(i + 1));
    }
  }

  private void weighted(List<ResourceRecord> addresses, AddressWeights by) {
    int total = 0;
    for (ResourceRecord each : addresses) {
      total += weight(each, by);
    }
    if (total == 0) {
      return;
    }
    int left = random.nextInt(total);
    for (int i = 0; i < addresses.size(); i++) {
      left -= weight(addresses.get(i), by);
      if (left < 0) {
        Collections.swap(addresses, 0, i);
        return;
      }
    }
  }

  private static int weight(ResourceRecord each, AddressWeights by) {
    return each.data() instanceof RecordData.Address(IpAddress address)
        ? by.of(each.owner(), address)
        : 0;
  }

  private boolean isPreferred(ResourceRecord each) {
    return each.data() instanceof RecordData.Address(IpAddress address)
        && preferred.stream().anyMatch(range -> range.contains(address));
  }
}
