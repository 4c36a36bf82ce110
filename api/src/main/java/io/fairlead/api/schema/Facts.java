package io.fairlead.api.schema;

import io.fairlead.api.schema.Merge.ApplyAs;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringTokenizer;

/// What the descriptors do not say: which fields are pointers and how values combine. Read from
/// `facts.txt`, which explains its lines.
final class Facts {
  private static final String META = "io.k8s.apimachinery.pkg.apis.";
  private static final String API = "io.k8s.api.";

  private final Set<String> pointers = new HashSet<>();
  private final Set<String> atomicStructs = new HashSet<>();
  private final Map<String, Merge> merges = new HashMap<>();

  Facts(List<String> lines) {
    for (String line : lines) {
      if (!line.isBlank() && !line.startsWith("#")) {
        read(words(line));
      }
    }
  }

  private static List<String> words(String line) {
    List<String> words = new ArrayList<>();
    for (StringTokenizer tokens = new StringTokenizer(line, " "); tokens.hasMoreTokens(); ) {
      words.add(tokens.nextToken());
    }
    return words;
  }

  /// Whether a zero is kept when it is there.
  boolean isPointer(String struct, String field) {
    return pointers.contains(key(struct, field));
  }

  boolean isAtomic(String struct) {
    return atomicStructs.contains(struct);
  }

  /// How that field combines, where it is not as its type suggests.
  Merge merge(String struct, String field, Type type) {
    Merge known = merges.get(key(struct, field));
    if (known != null) {
      return known;
    }
    return type instanceof StructType target && isAtomic(target.name())
        ? apply(Merge.DEFAULT, ApplyAs.ATOMIC, List.of())
        : Merge.DEFAULT;
  }

  /// Every `struct#field` a line speaks of, and every struct; for the test that none is misspelt.
  Set<String> subjects() {
    Set<String> subjects = new HashSet<>(pointers);
    subjects.addAll(merges.keySet());
    subjects.addAll(atomicStructs);
    return subjects;
  }

  private void read(List<String> words) {
    String verb = words.get(0);
    String struct = (words.get(1).startsWith("meta.") ? META : API).concat(words.get(1));
    List<String> rest = words.subList(2, words.size());
    if (verb.equals("atomic") && rest.isEmpty()) {
      atomicStructs.add(struct);
    } else if (verb.equals("pointer") || verb.equals("always")) {
      for (String field : rest) {
        pointers.add(key(struct, field));
      }
    } else if (verb.equals("atomic")) {
      for (String field : rest) {
        change(key(struct, field), verb, List.of());
      }
    } else {
      change(key(struct, rest.getFirst()), verb, rest.subList(1, rest.size()));
    }
  }

  private void change(String key, String verb, List<String> keys) {
    merges.put(key, changed(merges.getOrDefault(key, Merge.DEFAULT), verb, keys));
  }

  private static String key(String struct, String field) {
    return struct.concat("#").concat(field);
  }

  private static Merge changed(Merge old, String verb, List<String> keys) {
    return switch (verb) {
      case "patch" ->
          new Merge(
              true,
              keys.isEmpty() ? "" : keys.getFirst(),
              old.patchRetainKeys(),
              old.applyAs(),
              old.applyKeys());
      case "retain" ->
          new Merge(old.patchMerge(), old.patchMergeKey(), true, old.applyAs(), old.applyKeys());
      case "map" -> apply(old, ApplyAs.MAP, keys);
      case "set" -> apply(old, ApplyAs.SET, List.of());
      case "atomic" -> apply(old, ApplyAs.ATOMIC, List.of());
      case "granular" -> apply(old, ApplyAs.DEFAULT, List.of());
      default -> throw new IllegalStateException("facts.txt does not know the verb " + verb);
    };
  }

  private static Merge apply(Merge old, ApplyAs as, List<String> keys) {
    return new Merge(old.patchMerge(), old.patchMergeKey(), old.patchRetainKeys(), as, keys);
  }
}
