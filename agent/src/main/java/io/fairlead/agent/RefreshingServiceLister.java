package io.fairlead.agent;

import io.fairlead.agent.discovery.ServiceView;
import io.fairlead.agent.files.ServiceLister;
import io.fairlead.api.status.ApiException;
import io.fairlead.client.Client;
import io.fairlead.client.ListOptions;
import io.fairlead.client.ObjectPage;
import io.fairlead.client.ResourceType;
import io.fairlead.client.informer.Informer;
import io.fairlead.client.informer.ResourceVersions;
import io.fairlead.client.transport.ConnectionException;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The Services an informer has seen, and newer ones where that is asked for.
///
/// A watch reports what has changed, but not that nothing has. So when the copy is older than a
/// pod, the Services of the pod's namespace are listed. Callers that ask meanwhile wait for that
/// list, and most often finds it new enough: many pods that start at once cost few lists. Safe for
/// many threads.
final class RefreshingServiceLister implements ServiceLister {
  private static final Logger log = LoggerFactory.getLogger(RefreshingServiceLister.class);

  private record Listed(String version, String namespace, List<ServiceView> services) {
    static final Listed NOTHING = new Listed("0", "", List.of());

    boolean covers(String wanted, String place) {
      return namespace.equals(place) && ResourceVersions.compare(version, wanted) >= 0;
    }
  }

  private final Informer<ServiceView> informer;
  private final Client client;
  private final ReentrantLock asking = new ReentrantLock();
  private volatile Listed newest = Listed.NOTHING;

  RefreshingServiceLister(Informer<ServiceView> informer, Client client) {
    this.informer = informer;
    this.client = client;
  }

  @Override
  public boolean complete() {
    return informer.hasSynced();
  }

  @Override
  public Collection<ServiceView> all() {
    return informer.list();
  }

  @Override
  public Collection<ServiceView> since(String resourceVersion, String namespace) {
    if (ResourceVersions.compare(informer.version(), resourceVersion) >= 0) {
      return all();
    }
    asking.lock();
    try {
      if (!newest.covers(resourceVersion, namespace)) {
        newest = list(resourceVersion, namespace);
      }
      return with(newest);
    } catch (ApiException | ConnectionException e) {
      // Better a pod without a variable than no pod.
      log.atInfo().addKeyValue("why", e.getMessage()).log("Services taken as they were seen last");
      return all();
    } finally {
      asking.unlock();
    }
  }

  private Listed list(String version, String namespace) {
    ObjectPage page =
        client.list(ResourceType.SERVICES, namespace, ListOptions.ALL.notOlderThan(version));
    return new Listed(
        page.resourceVersion(), namespace, page.items().stream().map(ServiceView::of).toList());
  }

  private Collection<ServiceView> with(Listed listed) {
    Stream<ServiceView> others =
        all().stream().filter(one -> !one.metadata().namespace().equals(listed.namespace()));
    return Stream.concat(others, listed.services().stream()).toList();
  }
}
