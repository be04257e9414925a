/** What a backend must do, one file an area. */
package dev.jcomms.testkit.scenario;
