package io.fairlead.server.cel;

import java.util.AbstractMap;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/// An object that an expression made: its members, and the name of its type. Immutable.
public final class CelObject extends AbstractMap<String, Object> {
  private final String type;
  private final Map<String, Object> members;

  CelObject(String type, Map<String, Object> members) {
    this.type = type;
    this.members = Collections.unmodifiableMap(new LinkedHashMap<>(members));
  }

  /// The name in front of its members: `Object.spec`.
  public String type() {
    return type;
  }

  @Override
  public Set<Map.Entry<String, Object>> entrySet() {
    return members.entrySet();
  }
}
