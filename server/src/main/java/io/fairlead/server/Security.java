package io.fairlead.server;

import io.fairlead.server.auth.Authenticator;
import io.fairlead.server.auth.Authorizer;
import io.fairlead.server.auth.TokenIssuer;

/// Who may come in and what they may do.
public record Security(Authenticator authenticator, Authorizer authorizer, TokenIssuer tokens) {}
