package io.fairlead.api.schema;

import io.fairlead.api.schema.MergeStrategy.ApplyAs;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringTokenizer;

/// What the descriptors do not say: which fields are pointers, how values combine and what Go calls
/// a type. Read from `facts.txt`, which explains its lines.
final class SchemaSupplement {
  private static final String META = "io.k8s.apimachinery.pkg.apis.";
  private static final String API = "io.k8s.api.";
  private static final String AGGREGATOR = "io.k8s.kube-aggregator.pkg.apis.";
  private static final String EXTENSIONS = "io.k8s.apiextensions-apiserver.pkg.apis.";

  private final Set<String> pointers = new HashSet<>();
  private final Set<String> written = new HashSet<>();
  private final Set<String> atomicStructs = new HashSet<>();
  private final Map<String, MergeStrategy> merges = new HashMap<>();
  private final Map<String, String> goTypes = new HashMap<>();

  SchemaSupplement(List<String> lines) {
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

  /// What Go calls the type of that field, or nothing when it has no name of its own.
  String goType(String struct, String field) {
    return goTypes.getOrDefault(key(struct, field), "");
  }

  /// Whether a zero is written although the field is not required.
  boolean isWritten(String struct, String field) {
    return written.contains(key(struct, field));
  }

  boolean isAtomic(String struct) {
    return atomicStructs.contains(struct);
  }

  /// How that field combines, where it is not as its type suggests.
  MergeStrategy merge(String struct, String field, Type type) {
    MergeStrategy known = merges.get(key(struct, field));
    if (known != null) {
      return known;
    }
    return type instanceof StructType target && isAtomic(target.name())
        ? apply(MergeStrategy.DEFAULT, ApplyAs.ATOMIC, List.of())
        : MergeStrategy.DEFAULT;
  }

  /// Every `struct#field` a line speaks of, and every struct; for the test that none is misspelt.
  Set<String> subjects() {
    Set<String> subjects = new HashSet<>(pointers);
    subjects.addAll(merges.keySet());
    subjects.addAll(goTypes.keySet());
    subjects.addAll(atomicStructs);
    return subjects;
  }

  private void read(List<String> words) {
    String verb = words.get(0);
    String struct = module(words.get(1)).concat(words.get(1));
    List<String> rest = words.subList(2, words.size());
    if (verb.equals("atomic") && rest.isEmpty()) {
      atomicStructs.add(struct);
    } else if (verb.equals("type")) {
      for (String field : rest.subList(1, rest.size())) {
        goTypes.put(key(struct, field), rest.getFirst());
      }
    } else if (verb.equals("pointer") || verb.equals("always")) {
      for (String field : rest) {
        pointers.add(key(struct, field));
        if (verb.equals("always")) {
          written.add(key(struct, field));
        }
      }
    } else if (verb.equals("atomic")) {
      for (String field : rest) {
        change(key(struct, field), verb, List.of());
      }
    } else {
      change(key(struct, rest.getFirst()), verb, rest.subList(1, rest.size()));
    }
  }

  private static String module(String struct) {
    if (struct.startsWith("meta.")) {
      return META;
    }
    if (struct.startsWith("apiregistration.")) {
      return AGGREGATOR;
    }
    return struct.startsWith("apiextensions.") ? EXTENSIONS : API;
  }

  private void change(String key, String verb, List<String> keys) {
    merges.put(key, changed(merges.getOrDefault(key, MergeStrategy.DEFAULT), verb, keys));
  }

  private static String key(String struct, String field) {
    return struct.concat("#").concat(field);
  }

  private static MergeStrategy changed(MergeStrategy old, String verb, List<String> keys) {
    return switch (verb) {
      case "patch" ->
          new MergeStrategy(
              true,
              keys.isEmpty() ? "" : keys.getFirst(),
              old.patchRetainKeys(),
              old.applyAs(),
              old.applyKeys());
      case "retain" ->
          new MergeStrategy(
              old.patchMerge(), old.patchMergeKey(), true, old.applyAs(), old.applyKeys());
      case "map" -> apply(old, ApplyAs.MAP, keys);
      case "set" -> apply(old, ApplyAs.SET, List.of());
      case "atomic" -> apply(old, ApplyAs.ATOMIC, List.of());
      case "granular" -> apply(old, ApplyAs.DEFAULT, List.of());
      default -> throw new IllegalStateException("facts.txt does not know the verb " + verb);
    };
  }

  private static MergeStrategy apply(MergeStrategy old, ApplyAs as, List<String> keys) {
    return new MergeStrategy(
        old.patchMerge(), old.patchMergeKey(), old.patchRetainKeys(), as, keys);
  }
}
