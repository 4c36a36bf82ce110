package io.fairlead.api.names;

import java.util.random.RandomGenerator;

/// Makes a name from `metadata.generateName`: the prefix and five characters that spell no words.
public final class NameGenerator {
  /// No vowels, and nothing that looks like another character.
  public static final String ALPHABET = "bcdfghjklmnpqrstvwxz2456789";

  /// How often a create tries another suffix when the name is taken.
  public static final int ATTEMPTS = 8;

  private static final int SUFFIX = 5;
  private static final int PREFIX_MAX = NameValidation.LABEL_MAX - SUFFIX;

  private NameGenerator() {}

  /// `prefix` cut to 58 characters, and a suffix.
  public static String name(String prefix, RandomGenerator random) {
    String kept = prefix.length() > PREFIX_MAX ? prefix.substring(0, PREFIX_MAX) : prefix;
    return kept + suffix(random);
  }

  /// Five random characters, as also ReplicaSets and Jobs give their pods.
  public static String suffix(RandomGenerator random) {
    StringBuilder suffix = new StringBuilder(SUFFIX);
    for (int i = 0; i < SUFFIX; i++) {
      suffix.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
    }
    return suffix.toString();
  }
}
