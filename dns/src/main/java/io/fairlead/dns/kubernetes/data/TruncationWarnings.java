package io.fairlead.dns.kubernetes.data;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.client.Client;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ObjectRef;
import io.fairlead.client.ResourceType;
import io.fairlead.client.events.EventRecorder;
import io.fairlead.client.events.ObjectEvent;
import io.fairlead.client.transport.ConnectionException;
import io.fairlead.work.Tasks;
import io.fairlead.work.Ticker;
import java.time.InstantSource;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Finds Services whose records of one name do not fit into any message, and says so in an event on
/// the Service: every client then gets a part of them, chosen by chance (spec/dns.md 2.4).
///
/// The compiling thread calls it; another thread records the event, and a failure to do so is only
/// logged.
final class TruncationWarnings implements AutoCloseable {
  static final String REASON = "DNSAnswerTooLarge";

  private static final ResourceType SERVICES =
      new ResourceType("", "v1", "services", "Service", true);
  private static final int LARGEST = 65_535;
  // Header, question and OPT record of a usual name.
  private static final int AROUND = 12 + 64 + 4 + 11;
  // Pointer to the owner, type, class, time, length, priority, weight, port.
  private static final int SRV = 18;
  private static final int USUAL_ZONE = 15;

  private final Client client;
  private final InstantSource clock;
  private final Ticker ticker;
  private final Set<ObjectKey> known = ConcurrentHashMap.newKeySet();
  private @Nullable EventRecorder recorder;

  TruncationWarnings(Client client, InstantSource clock, Ticker ticker) {
    this.client = client;
    this.clock = clock;
    this.ticker = ticker;
  }

  /// How many there are now.
  int count() {
    return known.size();
  }

  /// Checks a new version; null when the Service is gone.
  void check(ObjectKey key, @Nullable CompiledService service) {
    String what = service == null ? "" : tooLarge(service);
    if (what.isEmpty()) {
      known.remove(key);
    } else if (known.add(key)) {
      record(key, what);
    }
  }

  /// Which set of records is too large; empty when none is.
  static String tooLarge(CompiledService service) {
    int ipv4 = service.records(true).length;
    int ipv6 = service.records(false).length;
    if (Math.max(ipv4, ipv6) + AROUND > LARGEST) {
      return (ipv4 > ipv6 ? ipv4 / CompiledService.A_LENGTH : ipv6 / CompiledService.AAAA_LENGTH)
          + " addresses";
    }
    if (!service.isHeadless()) {
      return "";
    }
    PackedEndpoints endpoints = service.endpoints();
    long each = SRV + service.labels().length + USUAL_ZONE;
    long size = AROUND;
    int targets = 0;
    for (int i = 0; i < endpoints.size(); i++) {
      if (endpoints.isHead(i)) {
        size += each + endpoints.nameLength(i);
        targets++;
      }
    }
    return size > LARGEST ? targets + " SRV records" : "";
  }

  private synchronized void record(ObjectKey key, String what) {
    if (recorder == null) {
      recorder = new EventRecorder(client, "fairlead-dns", clock, ticker);
    }
    EventRecorder events = recorder;
    String message =
        what
            + " do not fit into one DNS message: each client gets a part of them, chosen by chance;"
            + " use several Services, or ask for single endpoints by name";
    Tasks.start(
        "dns-truncation-event",
        () -> events.record(ObjectEvent.warning(reference(key), REASON, message)));
  }

  /// The role of a DNS server need not allow to read one Service; then the event has no uid.
  private ObjectRef reference(ObjectKey key) {
    String uid = "";
    try {
      uid = Json.textOr(client.get(SERVICES, key), "", "metadata", "uid");
    } catch (ApiException | ConnectionException _) {
      // Found by name, too.
    }
    return new ObjectRef(SERVICES, key, uid);
  }

  @Override
  public synchronized void close() {
    if (recorder != null) {
      recorder.close();
      recorder = null;
    }
  }
}
