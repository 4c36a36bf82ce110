package io.fairlead.controller.serving;

/// One label of a pod or one demand of a selector, such as `app=web`.
record Label(String key, String value) {}
