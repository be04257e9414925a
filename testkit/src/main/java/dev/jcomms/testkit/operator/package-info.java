/**
 * What operators must do on every device: samples of their arguments by family, run and compared.
 */
package dev.jcomms.testkit.operator;
