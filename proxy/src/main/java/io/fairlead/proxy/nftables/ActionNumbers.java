package io.fairlead.proxy.nftables;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The numbers of actions. An action keeps its number as long as its chain is in the kernel.
final class ActionNumbers {
  private final Map<String, Integer> numbers = new HashMap<>();
  private final Set<Integer> taken = new HashSet<>();
  private final Map<String, Action> used = new HashMap<>();
  private final List<Action> fresh = new ArrayList<>();
  private int next = Number.TAG | 1;

  /// Takes over a number found in the kernel.
  void adopt(String chain, int number) {
    if ((number & Number.TAG_MASK) == Number.TAG
        && !numbers.containsKey(chain)
        && taken.add(number)) {
      numbers.put(chain, number);
    }
  }

  int number(Action action) {
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
  List<Action> takeFresh() {
    List<Action> taken = List.copyOf(fresh);
    fresh.clear();
    return taken;
  }

  /// Every action asked for so far.
  List<Action> used() {
    return List.copyOf(used.values());
  }
}
