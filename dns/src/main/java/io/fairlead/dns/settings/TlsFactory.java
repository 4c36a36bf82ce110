package io.fairlead.dns.settings;

import io.fairlead.dns.corefile.DirectiveReader;
import io.fairlead.dns.corefile.RootPath;
import io.fairlead.dns.plugin.BlockContext;
import io.fairlead.dns.plugin.BlockSettings.ClientAuthentication;
import io.fairlead.dns.plugin.Directive;
import io.fairlead.dns.plugin.Plugin;
import io.fairlead.dns.plugin.PluginFactory;
import io.fairlead.dns.plugin.SetupException;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads the line of `tls`.
public final class TlsFactory implements PluginFactory {
  @Override
  public String name() {
    return "tls";
  }

  @Override
  public Plugin create(List<Directive> lines, BlockContext context) throws SetupException {
    Directive line = DirectiveReader.only(lines);
    DirectiveReader.count(line, 2, 3, "tls CERT KEY [CA]");
    List<String> files = line.arguments();
    ClientAuthentication authentication = ClientAuthentication.NONE;
    for (Directive option : line.block()) {
      if (!option.name().equals("client_auth")) {
        throw DirectiveReader.unknown(line, option, "client_auth");
      }
      DirectiveReader.count(option, 1, 1, "client_auth MODE");
      authentication = mode(option);
    }
    Path authority = files.size() > 2 ? RootPath.resolve(context.block(), files.get(2)) : null;
    if (authentication != ClientAuthentication.NONE && authority == null) {
      throw line.problem("client_auth needs a CA as third file, to check clients against");
    }
    TlsKeyFiles keys = keys(line, context, authority);
    context.settings(context.settings().withTls(keys::context, authentication));
    return () -> "tls";
  }

  private static TlsKeyFiles keys(Directive line, BlockContext context, @Nullable Path authority)
      throws SetupException {
    Path certificate = RootPath.resolve(context.block(), line.arguments().get(0));
    Path key = RootPath.resolve(context.block(), line.arguments().get(1));
    try {
      return new TlsKeyFiles(certificate, key, authority);
    } catch (IOException | GeneralSecurityException e) {
      throw line.problem("tls: " + e.getMessage());
    }
  }

  private static ClientAuthentication mode(Directive option) throws SetupException {
    return switch (option.arguments().getFirst()) {
      case "nocert" -> ClientAuthentication.NONE;
      case "request", "verify_if_given" -> ClientAuthentication.WANTED;
      case "require", "require_and_verify" -> ClientAuthentication.NEEDED;
      default ->
          throw option.problem(
              "'"
                  + option.arguments().getFirst()
                  + "' is no client_auth; there are nocert, request, require, verify_if_given and"
                  + " require_and_verify");
    };
  }
}
