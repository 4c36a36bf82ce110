package io.fairlead.server;

import io.fairlead.server.resources.cluster.EventResource;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// Gathers what is to be unlike the defaults in an [ApiServerConfig], which tells what each is for.
/// For one thread.
public final class ApiServerConfigBuilder {
  private String bindAddress = "127.0.0.1";
  private int securePort = 6443;
  private final Path pki;
  private ApiServerConfig.ServiceNetworkOptions services =
      ApiServerConfig.ServiceNetworkOptions.DEFAULT;
  private Optional<Path> tokenAuthFile = Optional.empty();
  private Optional<Path> clientCaFile = Optional.empty();
  private Optional<Path> tlsCertFile = Optional.empty();
  private Optional<Path> tlsPrivateKeyFile = Optional.empty();
  private List<String> tlsSans = List.of();
  private String authorizationMode = "RBAC";
  private boolean anonymousAuth = true;
  private String serviceAccountIssuer = "https://kubernetes.default.svc.cluster.local";
  private String clusterDomain = "cluster.local";
  private String advertiseAddress = "127.0.0.1";
  private int emulatedMinor = 36;
  private Optional<Path> auditLog = Optional.empty();
  private ApiServerConfig.Limits limits = ApiServerConfig.Limits.DEFAULT;
  private Duration eventTtl = EventResource.KEPT;
  private ApiServerConfig.KeyFiles keyFiles = ApiServerConfig.KeyFiles.NONE;
  private boolean warnsOfUnserved;

  ApiServerConfigBuilder(Path pki) {
    this.pki = pki;
  }

  ApiServerConfigBuilder(ApiServerConfig from) {
    bindAddress = from.bindAddress();
    securePort = from.securePort();
    pki = from.pki();
    services = from.services();
    tokenAuthFile = from.tokenAuthFile();
    clientCaFile = from.clientCaFile();
    tlsCertFile = from.tlsCertFile();
    tlsPrivateKeyFile = from.tlsPrivateKeyFile();
    tlsSans = from.tlsSans();
    authorizationMode = from.authorizationMode();
    anonymousAuth = from.anonymousAuth();
    serviceAccountIssuer = from.serviceAccountIssuer();
    clusterDomain = from.clusterDomain();
    advertiseAddress = from.advertiseAddress();
    emulatedMinor = from.emulatedMinor();
    auditLog = from.auditLog();
    limits = from.limits();
    eventTtl = from.eventTtl();
    keyFiles = from.keyFiles();
    warnsOfUnserved = from.warnsOfUnserved();
  }

  public ApiServerConfigBuilder bindAddress(String bindAddress) {
    this.bindAddress = bindAddress;
    return this;
  }

  public ApiServerConfigBuilder securePort(int securePort) {
    this.securePort = securePort;
    return this;
  }

  public ApiServerConfigBuilder services(ApiServerConfig.ServiceNetworkOptions services) {
    this.services = services;
    return this;
  }

  public ApiServerConfigBuilder tokenAuthFile(Optional<Path> tokenAuthFile) {
    this.tokenAuthFile = tokenAuthFile;
    return this;
  }

  public ApiServerConfigBuilder clientCaFile(Optional<Path> clientCaFile) {
    this.clientCaFile = clientCaFile;
    return this;
  }

  public ApiServerConfigBuilder tlsCertFile(Optional<Path> tlsCertFile) {
    this.tlsCertFile = tlsCertFile;
    return this;
  }

  public ApiServerConfigBuilder tlsPrivateKeyFile(Optional<Path> tlsPrivateKeyFile) {
    this.tlsPrivateKeyFile = tlsPrivateKeyFile;
    return this;
  }

  public ApiServerConfigBuilder tlsSans(List<String> tlsSans) {
    this.tlsSans = tlsSans;
    return this;
  }

  public ApiServerConfigBuilder authorizationMode(String authorizationMode) {
    this.authorizationMode = authorizationMode;
    return this;
  }

  public ApiServerConfigBuilder anonymousAuth(boolean anonymousAuth) {
    this.anonymousAuth = anonymousAuth;
    return this;
  }

  public ApiServerConfigBuilder serviceAccountIssuer(String serviceAccountIssuer) {
    this.serviceAccountIssuer = serviceAccountIssuer;
    return this;
  }

  public ApiServerConfigBuilder advertiseAddress(String advertiseAddress) {
    this.advertiseAddress = advertiseAddress;
    return this;
  }

  public ApiServerConfigBuilder emulatedMinor(int emulatedMinor) {
    this.emulatedMinor = emulatedMinor;
    return this;
  }

  public ApiServerConfigBuilder auditLog(Optional<Path> auditLog) {
    this.auditLog = auditLog;
    return this;
  }

  public ApiServerConfigBuilder limits(ApiServerConfig.Limits limits) {
    this.limits = limits;
    return this;
  }

  public ApiServerConfigBuilder eventTtl(Duration eventTtl) {
    this.eventTtl = eventTtl;
    return this;
  }

  public ApiServerConfigBuilder keyFiles(ApiServerConfig.KeyFiles keyFiles) {
    this.keyFiles = keyFiles;
    return this;
  }

  public ApiServerConfigBuilder warnsOfUnserved(boolean warnsOfUnserved) {
    this.warnsOfUnserved = warnsOfUnserved;
    return this;
  }

  public ApiServerConfig build() {
    return new ApiServerConfig(
        bindAddress,
        securePort,
        pki,
        services,
        tokenAuthFile,
        clientCaFile,
        tlsCertFile,
        tlsPrivateKeyFile,
        tlsSans,
        authorizationMode,
        anonymousAuth,
        serviceAccountIssuer,
        clusterDomain,
        advertiseAddress,
        emulatedMinor,
        auditLog,
        limits,
        eventTtl,
        keyFiles,
        warnsOfUnserved);
  }
}
