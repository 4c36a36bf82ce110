package io.fairlead.server.rest;

import io.fairlead.server.ApiServerConfig.Limits;
import io.fairlead.server.auth.Authenticator;
import io.fairlead.server.auth.Authorizer;
import io.fairlead.server.auth.TokenIssuer;
import io.fairlead.server.cache.Caches;
import io.fairlead.server.pki.CertificateSigner;
import io.fairlead.store.Store;
import java.time.InstantSource;
import java.util.random.RandomGenerator;

/// What every request stands on. Made once per server.
public record RestDependencies(
    Store store,
    Caches caches,
    ResourceRegistry registry,
    Authenticator authenticator,
    Authorizer authorizer,
    TokenIssuer tokens,
    CertificateSigner signer,
    InstantSource clock,
    RandomGenerator random,
    int emulatedMinor,
    Limits limits,
    boolean warnsOfUnserved,
    SpecRecorder specs) {}
