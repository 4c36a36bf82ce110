package io.fairlead.dns.kubernetes.data;

import java.util.List;

/// What to read from the API and how to compile it.
///
/// @param ttl of every record, in seconds
/// @param endpointPodNames endpoints without a hostname are called like their pod
/// @param noEndpoints slices are not read at all
/// @param ignoreEmptyService a Service without ready endpoints does not exist
/// @param pods whether pods are read, for verified pod names and search paths
/// @param namespaces only these; empty for all
/// @param namespaceSelector only namespaces with such labels; empty for all
/// @param selector only Services, slices and pods with such labels; empty for all
/// @param zones whether the zones of endpoints are kept, for `zonal`
/// @param external whether external addresses are kept, for `k8s_external`
/// @param snapshot the file that what is known is saved in; empty for none
public record DataOptions(
    int ttl,
    boolean endpointPodNames,
    boolean noEndpoints,
    boolean ignoreEmptyService,
    boolean pods,
    List<String> namespaces,
    String namespaceSelector,
    String selector,
    boolean zones,
    boolean external,
    String snapshot) {
  public DataOptions {
    namespaces = List.copyOf(namespaces);
  }

  /// Everything, with that time to live.
  public static DataOptions withTtl(int ttl) {
    return new DataOptions(ttl, false, false, false, false, List.of(), "", "", false, false, "");
  }
}
