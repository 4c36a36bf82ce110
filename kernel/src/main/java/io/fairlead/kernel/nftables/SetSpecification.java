package io.fairlead.kernel.nftables;

import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;

/// What a set or a map is made of.
///
/// @param key the parts of a key; several make a concatenation
/// @param value the parts of a value; empty for a set and for a map to verdicts
/// @param verdicts whether it maps to verdicts
/// @param interval whether a key may be a range in each part
/// @param timeoutMillis after how long an element vanishes; 0 for never
/// @param dynamic whether rules may change it
/// @param counter whether each element counts packets and bytes
/// @param size how many elements it may have; 0 for any number
/// @param comment for people, empty for none
public record SetSpecification(
    String name,
    List<DataType> key,
    List<DataType> value,
    boolean verdicts,
    boolean interval,
    boolean dynamic,
    long timeoutMillis,
    boolean counter,
    int size,
    String comment) {

  public SetSpecification {
    key = List.copyOf(key);
    value = List.copyOf(value);
  }

  public static SetSpecification set(String name, List<DataType> key, String comment) {
    return new SetSpecification(name, key, List.of(), false, false, false, 0, false, 0, comment);
  }

  public static SetSpecification map(
      String name, List<DataType> key, List<DataType> value, String comment) {
    return new SetSpecification(name, key, value, false, false, false, 0, false, 0, comment);
  }

  public static SetSpecification verdictMap(String name, List<DataType> key, String comment) {
    return new SetSpecification(name, key, List.of(), true, false, false, 0, false, 0, comment);
  }

  public SetSpecification withInterval() {
    return new SetSpecification(
        name, key, value, verdicts, true, dynamic, timeoutMillis, counter, size, comment);
  }

  public SetSpecification withCounter() {
    return new SetSpecification(
        name, key, value, verdicts, interval, dynamic, timeoutMillis, true, size, comment);
  }

  /// Rules may add elements, which vanish after a while.
  public SetSpecification withTimeout(long milliseconds, int most) {
    return new SetSpecification(
        name, key, value, verdicts, interval, true, milliseconds, counter, most, comment);
  }

  public boolean isMap() {
    return verdicts || !value.isEmpty();
  }

  public int keyLength() {
    return length(key);
  }

  public int valueLength() {
    return length(value);
  }

  static int length(List<DataType> types) {
    if (types.size() == 1) {
      return types.getFirst().length();
    }
    return types.stream().mapToInt(DataType::padded).sum();
  }

  /// The number the `nft` tool reads the types from.
  static int typeNumber(List<DataType> types) {
    int number = 0;
    for (DataType type : types) {
      number = number << DataType.BITS | type.number();
    }
    return number;
  }

  static List<DataType> types(int number) {
    List<DataType> types = new ArrayList<>();
    for (int rest = number; rest != 0; rest >>>= DataType.BITS) {
      types.addFirst(DataType.of(rest & ((1 << DataType.BITS) - 1)));
    }
    return types;
  }

  /// `10.96.0.1 . tcp . 80`.
  public static String text(List<DataType> types, NftData bytes) {
    StringJoiner text = new StringJoiner(" . ");
    int at = 0;
    for (DataType type : types) {
      if (at + type.length() > bytes.length()) {
        return bytes.toString();
      }
      text.add(type.text(bytes.array(), at));
      at += type.padded();
    }
    return text.toString();
  }
}
