package io.fairlead.server.discovery;

import io.fairlead.api.json.Json;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The lists of groups with those that other servers serve behind this server's own. Made again
/// when one of both has changed. Safe for many threads.
public final class JoinedDocuments {
  /// The forms and versions of the list, and then some.
  private static final int MOST = 8;

  private volatile Supplier<List<RemoteGroup>> remote = List::of;
  // Guarded by this. By the document without them.
  private final Map<StaticDocument, StaticDocument> joined = new LinkedHashMap<>();
  private List<RemoteGroup> joinedWith = List.of();

  /// From now on these are listed too. The same list as long as nothing changes.
  public void join(Supplier<List<RemoteGroup>> groups) {
    remote = groups;
  }

  /// `/apis` with all groups.
  ///
  /// @param aggregated whether it is the aggregated form
  public StaticDocument groups(StaticDocument own, boolean aggregated) {
    List<RemoteGroup> groups = remote.get();
    return groups.isEmpty() ? own : joined(own, groups, aggregated);
  }

  /// `/apis/NAME` of a group of others, or null.
  public @Nullable StaticDocument group(String name) {
    for (RemoteGroup group : remote.get()) {
      if (group.name().equals(name)) {
        ObjectNode document = Json.object().put("kind", "APIGroup").put("apiVersion", "v1");
        LegacyDocuments.describe(document, name, versions(group));
        return new StaticDocument(Json.bytes(document), "application/json");
      }
    }
    return null;
  }

  private static Set<String> versions(RemoteGroup group) {
    return group.versions().stream()
        .map(RemoteGroup.Version::version)
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  private synchronized StaticDocument joined(
      StaticDocument own, List<RemoteGroup> groups, boolean aggregated) {
    if (!joinedWith.equals(groups) || joined.size() > MOST) {
      joined.clear();
      joinedWith = groups;
    }
    StaticDocument known = joined.get(own);
    if (known != null) {
      return known;
    }
    ObjectNode document = Json.parseObject(own.bytes());
    for (RemoteGroup group : groups) {
      if (aggregated) {
        ObjectNode entry = document.withArray("items").addObject();
        entry.putObject("metadata").put("name", group.name());
        ArrayNode versions = entry.putArray("versions");
        group.versions().forEach(each -> versions.add(each.entry()));
      } else {
        LegacyDocuments.describe(
            document.withArray("groups").addObject(), group.name(), versions(group));
      }
    }
    StaticDocument made = new StaticDocument(Json.bytes(document), own.contentType());
    joined.put(own, made);
    return made;
  }
}
