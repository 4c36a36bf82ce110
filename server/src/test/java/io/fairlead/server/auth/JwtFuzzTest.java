package io.fairlead.server.auth;

import io.fairlead.api.json.Json;
import io.fairlead.work.testing.FuzzRun;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Damaged tokens: taken apart or refused, and none of them is signed by the key.
class JwtFuzzTest {
  @Test
  void aTokenIsTakenApartOrRefused() throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(256);
    KeyPair keys = generator.generateKeyPair();
    String token =
        Jwt.sign(
            Json.object().put("sub", "system:serviceaccount:a:b").put("exp", 1),
            Jwt.keyId(keys.getPublic()),
            keys.getPrivate());
    FuzzRun.run(
        bytes -> {
          String text = new String(bytes, StandardCharsets.ISO_8859_1);
          Jwt read = Jwt.parse(text);
          // Every other signature check: they cost more than all the rest.
          if (text.length() % 2 == 0
              && !text.equals(token)
              && read.isSignedBy(keys.getPublic())
              && !read.signed().equals(token.substring(0, token.lastIndexOf('.')))) {
            throw new AssertionError("signed, though changed");
          }
        },
        FuzzRun.texts(token, "e30.e30.AAAA", "eyJhbGciOiJub25lIn0.e30."),
        List.of(Jwt.JwtException.class));
  }
}
