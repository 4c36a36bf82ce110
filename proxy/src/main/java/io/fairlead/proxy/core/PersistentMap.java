package io.fairlead.proxy.core;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// An immutable map that shares all it can with the map it was made from, so that a change among
/// ten thousand entries costs as much as one among ten, and so does the difference of two versions.
///
/// How it works: a trie over the bits of the hash, 32 children a node. Putting copies the nodes on
/// one path. Two versions differ only below nodes that are not the same object.
public final class PersistentMap<K, V> {
  private static final int BITS = 5;
  private static final int WIDTH = 1 << BITS;

  /// What a place of the trie can hold.
  private sealed interface Slot<K, V> {}

  private record Branch<K, V>(List<@Nullable Slot<K, V>> children) implements Slot<K, V> {}

  private record Leaf<K, V>(int hash, K key, V value) implements Slot<K, V> {}

  /// Keys whose hashes are equal in all bits.
  private record Collision<K, V>(int hash, List<Leaf<K, V>> leaves) implements Slot<K, V> {}

  private static final PersistentMap<?, ?> EMPTY = new PersistentMap<>(null, 0);

  private final @Nullable Slot<K, V> root;
  private final int size;

  private PersistentMap(@Nullable Slot<K, V> root, int size) {
    this.root = root;
    this.size = size;
  }

  @SuppressWarnings("unchecked") // The empty map holds nothing of any type.
  public static <K, V> PersistentMap<K, V> empty() {
    return (PersistentMap<K, V>) EMPTY;
  }

  /// A map of many entries at once, for less than putting them one by one takes.
  public static <K, V> PersistentMap<K, V> of(Map<K, V> entries) {
    List<Leaf<K, V>> leaves = new ArrayList<>(entries.size());
    entries.forEach((key, value) -> leaves.add(new Leaf<>(spread(key), key, value)));
    return new PersistentMap<>(build(leaves, 0), leaves.size());
  }

  public int size() {
    return size;
  }

  /// The value of a key, or null.
  public @Nullable V get(K key) {
    int hash = spread(key);
    Slot<K, V> at = root;
    // Tests in place of a switch over types, which takes a fresh JVM long.
    for (int shift = 0; at instanceof Branch<K, V> branch; shift += BITS) {
      at = branch.children.get(index(hash, shift));
    }
    if (at instanceof Leaf<K, V> leaf) {
      return leaf.hash == hash && leaf.key.equals(key) ? leaf.value : null;
    }
    if (at instanceof Collision<K, V> many) {
      return many.leaves.stream()
          .filter(leaf -> leaf.hash == hash && leaf.key.equals(key))
          .findFirst()
          .map(Leaf::value)
          .orElse(null);
    }
    return null;
  }

  /// The map with that entry; this map when it has an equal one.
  public PersistentMap<K, V> with(K key, V value) {
    V old = get(key);
    if (value.equals(old)) {
      return this;
    }
    Slot<K, V> changed = put(root, 0, new Leaf<>(spread(key), key, value));
    return new PersistentMap<>(changed, old == null ? size + 1 : size);
  }

  /// The map without that key; this map when it has none.
  public PersistentMap<K, V> without(K key) {
    if (get(key) == null) {
      return this;
    }
    return new PersistentMap<>(remove(root, 0, spread(key), key), size - 1);
  }

  /// Visits every entry, in no particular order.
  public void forEach(BiConsumer<K, V> visitor) {
    visit(root, visitor);
  }

  /// All values, in no particular order.
  public List<V> values() {
    List<V> values = new ArrayList<>(size);
    forEach((_, value) -> values.add(value));
    return values;
  }

  /// Takes every key whose value differs: what it was (null: absent) and what it is. Costs what the
  /// difference is, not what the maps are, when one was made from the other.
  public interface Differences<K, V> {
    void differs(K key, @Nullable V before, @Nullable V after);
  }

  /// Compares this map, as the newer one, with an older version.
  public void differencesTo(PersistentMap<K, V> before, Differences<K, V> visitor) {
    compare(before.root, root, 0, visitor);
  }

  private static int spread(Object key) {
    int hash = key.hashCode();
    return hash ^ hash >>> 16;
  }

  private static int index(int hash, int shift) {
    return hash >>> shift & (WIDTH - 1);
  }

  private static <K, V> Slot<K, V> put(@Nullable Slot<K, V> at, int shift, Leaf<K, V> leaf) {
    if (at instanceof Branch<K, V> branch) {
      int index = index(leaf.hash, shift);
      return replace(branch, index, put(branch.children.get(index), shift + BITS, leaf));
    }
    return switch (at) {
      case null -> leaf;
      case Leaf<K, V> present ->
          present.hash == leaf.hash && present.key.equals(leaf.key)
              ? leaf
              : join(present.hash, present, shift, leaf);
      case Collision<K, V> many ->
          many.hash == leaf.hash
              ? new Collision<>(many.hash, replaced(many.leaves, leaf))
              : join(many.hash, many, shift, leaf);
      case Branch<K, V> _ -> throw new IllegalStateException("seen above");
    };
  }

  /// The tree of leaves with different keys.
  private static <K, V> @Nullable Slot<K, V> build(List<Leaf<K, V>> leaves, int shift) {
    if (leaves.size() <= 1) {
      return leaves.isEmpty() ? null : leaves.getFirst();
    }
    int hash = leaves.getFirst().hash;
    List<List<Leaf<K, V>>> parts = new ArrayList<>(Collections.nCopies(WIDTH, List.of()));
    boolean collide = true;
    for (Leaf<K, V> leaf : leaves) {
      int index = index(leaf.hash, shift);
      if (parts.get(index).isEmpty()) {
        parts.set(index, new ArrayList<>());
      }
      parts.get(index).add(leaf);
      collide &= leaf.hash == hash;
    }
    if (collide) {
      return new Collision<>(hash, List.copyOf(leaves));
    }
    List<@Nullable Slot<K, V>> children = new ArrayList<>(WIDTH);
    for (List<Leaf<K, V>> part : parts) {
      children.add(build(part, shift + BITS));
    }
    return new Branch<>(children);
  }

  private static <K, V> List<Leaf<K, V>> replaced(List<Leaf<K, V>> leaves, Leaf<K, V> leaf) {
    List<Leaf<K, V>> changed = new ArrayList<>(leaves);
    changed.removeIf(each -> each.key.equals(leaf.key));
    changed.add(leaf);
    return List.copyOf(changed);
  }

  private static <K, V> Slot<K, V> join(
      int presentHash, Slot<K, V> present, int shift, Leaf<K, V> leaf) {
    if (presentHash == leaf.hash && present instanceof Leaf<K, V> single) {
      return new Collision<>(leaf.hash, List.of(single, leaf));
    }
    List<@Nullable Slot<K, V>> none = new ArrayList<>(WIDTH);
    for (int i = 0; i < WIDTH; i++) {
      none.add(null);
    }
    none.set(index(presentHash, shift), present);
    return put(new Branch<>(none), shift, leaf);
  }

  private static <K, V> Branch<K, V> replace(
      Branch<K, V> branch, int index, @Nullable Slot<K, V> child) {
    List<@Nullable Slot<K, V>> children = new ArrayList<>(branch.children);
    children.set(index, child);
    return new Branch<>(children);
  }

  private static <K, V> @Nullable Slot<K, V> remove(
      @Nullable Slot<K, V> at, int shift, int hash, K key) {
    return switch (at) {
      case null -> null;
      case Leaf<K, V> leaf -> leaf.key.equals(key) ? null : leaf;
      case Collision<K, V> many -> {
        List<Leaf<K, V>> left = many.leaves.stream().filter(leaf -> !leaf.key.equals(key)).toList();
        yield left.size() == 1 ? left.getFirst() : new Collision<>(many.hash, left);
      }
      case Branch<K, V> branch -> {
        int index = index(hash, shift);
        Branch<K, V> changed =
            replace(branch, index, remove(branch.children.get(index), shift + BITS, hash, key));
        yield changed.children.stream().allMatch(Objects::isNull) ? null : changed;
      }
    };
  }

  private static <K, V> void visit(@Nullable Slot<K, V> at, BiConsumer<K, V> visitor) {
    if (at instanceof Leaf<K, V> leaf) {
      visitor.accept(leaf.key, leaf.value);
    } else if (at instanceof Branch<K, V> branch) {
      for (Slot<K, V> child : branch.children) {
        visit(child, visitor);
      }
    } else if (at instanceof Collision<K, V> many) {
      many.leaves.forEach(leaf -> visit(leaf, visitor));
    }
  }

  // Nodes that are one object are the same by construction; looking inside would cost what sharing
  // saves.
  @SuppressWarnings("ReferenceEquality")
  private static <K, V> void compare(
      @Nullable Slot<K, V> before,
      @Nullable Slot<K, V> after,
      int shift,
      Differences<K, V> visitor) {
    if (before == after) {
      return;
    }
    if (before instanceof Branch<K, V> old && after instanceof Branch<K, V> now) {
      for (int i = 0; i < WIDTH; i++) {
        compare(old.children.get(i), now.children.get(i), shift + BITS, visitor);
      }
      return;
    }
    PersistentMap<K, V> old = new PersistentMap<>(shifted(before, shift), 0);
    PersistentMap<K, V> now = new PersistentMap<>(shifted(after, shift), 0);
    now.forEach(
        (key, value) -> {
          V was = old.get(key);
          if (!value.equals(was)) {
            visitor.differs(key, was, value);
          }
        });
    old.forEach(
        (key, value) -> {
          if (now.get(key) == null) {
            visitor.differs(key, value, null);
          }
        });
  }

  /// A subtree as a tree of its own: its entries put in again from the first bit. Only happens
  /// where one side is a single entry, so the subtree is small.
  private static <K, V> @Nullable Slot<K, V> shifted(@Nullable Slot<K, V> at, int shift) {
    if (shift == 0 || !(at instanceof Branch<K, V>)) {
      return at;
    }
    List<Leaf<K, V>> leaves = new ArrayList<>();
    visit(at, (key, value) -> leaves.add(new Leaf<>(spread(key), key, value)));
    Slot<K, V> root = null;
    for (Leaf<K, V> leaf : leaves) {
      root = put(root, 0, leaf);
    }
    return root;
  }
}
