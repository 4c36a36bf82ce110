/// The controllers as a process of their own.
@NullMarked
package io.fairlead.app.controllers;

import org.jspecify.annotations.NullMarked;
