package io.fairlead.dns.testing;

import java.net.InetAddress;
import java.util.Arrays;

/// Asks the JDK for the addresses of a name, as any Java program does.
public final class JdkLookup {
  private JdkLookup() {}

  public static void main(String[] words) throws Exception {
    Arrays.stream(InetAddress.getAllByName(words[0]))
        .map(InetAddress::getHostAddress)
        .sorted()
        .forEach(System.out::println);
  }
}
