package io.fairlead.proxy.nftables;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The numbers of actions. An action keeps its number as long as its chain is in the kernel.
final class ChainActionNumbers {
  private final Map<String, Integer> numbers = new HashMap<>();
  private final Set<Integer> taken = new HashSet<>();
  private final Map<String, ChainAction> used = new HashMap<>();
  private final List<ChainAction> fresh = new ArrayList<>();
  private int next = PacketTag.TAG | 1;

  /// Takes over a number found in the kernel.
  void adopt(String chain, int number) {
    if ((number & PacketTag.TAG_MASK) == PacketTag.TAG
        && !numbers.containsKey(chain)
        && taken.add(number)) {
      numbers.put(chain, number);
    }
  }

  int number(ChainAction action) {
    String chain = action.chain();
    Integer number = numbers.get(chain);
    if (number == null) {
      while (!taken.add(next)) {
        next++;
      }
      number = next++;
      numbers.put(chain, number);
    }
    if (used.putIfAbsent(chain, action) == null) {
      fresh.add(action);
    }
    return number;
  }

  /// The actions asked for since the last call that were never asked for before.
  List<ChainAction> takeFresh() {
    List<ChainAction> taken = List.copyOf(fresh);
    fresh.clear();
    return taken;
  }

  /// Every action asked for so far.
  List<ChainAction> used() {
    return List.copyOf(used.values());
  }
}
