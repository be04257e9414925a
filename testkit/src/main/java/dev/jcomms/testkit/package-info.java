/** The conformance kit for backends and stores. */
package dev.jcomms.testkit;
