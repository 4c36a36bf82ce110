package io.fairlead.dns.zonefile;

import java.util.List;

/// One entry of a master file, parentheses already joined.
///
/// @param line of its first word
/// @param blankOwner whether it begins with a blank: the owner is the one before
record MasterFileEntry(int line, boolean blankOwner, List<Word> words) {
  /// @param quoted whether it stood in quotes; escapes are still in place
  record Word(String text, boolean quoted) {}
}
