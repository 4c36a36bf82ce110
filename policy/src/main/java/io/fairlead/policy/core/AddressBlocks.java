package io.fairlead.policy.core;

import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The address space cut at the borders of blocks: disjoint ranges, each with the set of blocks it
/// is in. Neighbours differ in that set; what is in no block is left out.
///
/// How it works: a block is a list of ranges, its CIDR without the excepts. Putting one in cuts
/// only the ranges it meets; the result does not depend on the order of blocks.
final class AddressBlocks {
  /// Both ends included.
  record Range(IpAddress first, IpAddress last) {}

  /// @param blocks sorted
  record Piece(IpAddress first, IpAddress last, List<PeerEntry> blocks) {}

  /// @param removed pieces that are no more
  /// @param added pieces that are new
  record Difference(List<Piece> removed, List<Piece> added) {}

  private final TreeMap<IpAddress, Piece> pieces = new TreeMap<>();

  /// What is left of a block without its excepts.
  static List<Range> ranges(PolicyPeer.Block block) {
    List<Range> left = new ArrayList<>();
    IpAddress last = block.cidr().last();
    IpAddress from = block.cidr().first();
    for (Cidr except : block.excepts()) {
      if (from.compareTo(except.first()) < 0) {
        left.add(new Range(from, except.first().plus(-1)));
      }
      if (except.last().compareTo(last) >= 0) {
        return left;
      }
      IpAddress after = except.last().next();
      from = after.compareTo(from) > 0 ? after : from;
    }
    left.add(new Range(from, last));
    return left;
  }

  /// The blocks an address is in, sorted.
  List<PeerEntry> at(IpAddress address) {
    Map.Entry<IpAddress, Piece> floor = pieces.floorEntry(address);
    return floor == null || floor.getValue().last().compareTo(address) < 0
        ? List.of()
        : floor.getValue().blocks();
  }

  Difference add(PeerEntry block, Range range) {
    return change(block, range, true);
  }

  Difference remove(PeerEntry block, Range range) {
    return change(block, range, false);
  }

  private Difference change(PeerEntry block, Range range, boolean add) {
    List<Piece> old = takeAround(range);
    List<Piece> cut = new ArrayList<>();
    IpAddress from = range.first();
    boolean covered = false;
    for (Piece piece : old) {
      if (piece.last().compareTo(range.first()) < 0) {
        cut.add(piece);
        continue;
      }
      if (piece.first().compareTo(range.last()) > 0) {
        if (!covered) {
          gap(cut, from, range.last(), block, add);
          covered = true;
        }
        cut.add(piece);
        continue;
      }
      if (piece.first().compareTo(range.first()) < 0) {
        cut.add(new Piece(piece.first(), range.first().plus(-1), piece.blocks()));
      }
      IpAddress inFirst = max(piece.first(), range.first());
      if (from.compareTo(inFirst) < 0) {
        gap(cut, from, inFirst.plus(-1), block, add);
      }
      IpAddress inLast = min(piece.last(), range.last());
      cut.add(new Piece(inFirst, inLast, with(piece.blocks(), block, add)));
      if (piece.last().compareTo(range.last()) > 0) {
        cut.add(new Piece(range.last().next(), piece.last(), piece.blocks()));
      }
      covered = inLast.equals(range.last());
      if (!covered) {
        from = inLast.next();
      }
    }
    if (!covered) {
      gap(cut, from, range.last(), block, add);
    }
    List<Piece> now = merged(cut);
    now.forEach(piece -> pieces.put(piece.first(), piece));
    Set<Piece> removed = new LinkedHashSet<>(old);
    Set<Piece> added = new LinkedHashSet<>(now);
    removed.removeAll(added);
    old.forEach(added::remove);
    return new Difference(List.copyOf(removed), List.copyOf(added));
  }

  /// Takes out the pieces that meet or touch a range.
  private List<Piece> takeAround(Range range) {
    List<Piece> taken = new ArrayList<>();
    Map.Entry<IpAddress, Piece> below = pieces.lowerEntry(range.first());
    IpAddress start = below == null ? range.first() : below.getKey();
    for (Piece piece : pieces.tailMap(start, true).values()) {
      if (piece.last().compareTo(range.first()) < 0 && !follows(piece.last(), range.first())) {
        continue;
      }
      if (piece.first().compareTo(range.last()) > 0 && !follows(range.last(), piece.first())) {
        break;
      }
      taken.add(piece);
    }
    taken.forEach(piece -> pieces.remove(piece.first()));
    return taken;
  }

  private static void gap(
      List<Piece> cut, IpAddress first, IpAddress last, PeerEntry block, boolean add) {
    if (add) {
      cut.add(new Piece(first, last, List.of(block)));
    }
  }

  private static List<PeerEntry> with(List<PeerEntry> blocks, PeerEntry block, boolean add) {
    int place = Collections.binarySearch(blocks, block);
    if (add == place >= 0) {
      return blocks;
    }
    // Copied as a whole: blocks that all overlap would cost the cube of their number one by one.
    List<PeerEntry> changed = new ArrayList<>(blocks.size() + 1);
    changed.addAll(blocks);
    if (add) {
      changed.add(-place - 1, block);
    } else {
      changed.remove(place);
    }
    return List.copyOf(changed);
  }

  private static List<Piece> merged(List<Piece> cut) {
    List<Piece> merged = new ArrayList<>();
    for (Piece piece : cut) {
      if (piece.blocks().isEmpty()) {
        continue;
      }
      @Nullable Piece last = merged.isEmpty() ? null : merged.getLast();
      if (last != null
          && last.blocks().equals(piece.blocks())
          && follows(last.last(), piece.first())) {
        merged.removeLast();
        merged.add(new Piece(last.first(), piece.last(), piece.blocks()));
      } else {
        merged.add(piece);
      }
    }
    return merged;
  }

  /// Whether `second` is the address after `first`.
  private static boolean follows(IpAddress first, IpAddress second) {
    return first.compareTo(second) < 0 && first.next().equals(second);
  }

  private static IpAddress max(IpAddress one, IpAddress other) {
    return one.compareTo(other) >= 0 ? one : other;
  }

  private static IpAddress min(IpAddress one, IpAddress other) {
    return one.compareTo(other) <= 0 ? one : other;
  }
}
