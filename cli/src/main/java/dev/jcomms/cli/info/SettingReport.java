package dev.jcomms.cli.info;

import dev.jcomms.Setting;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A setting as one environment has it.
 *
 * @param variables that set it, the strongest first
 * @param value {@code (set)} for a secret
 * @param source the variable that decided, or {@code default}
 */
record SettingReport(
    List<String> variables, String description, String defaultText, String value, String source) {

  static SettingReport of(Setting setting, Map<String, String> environment) {
    Setting.Value value = setting.in(environment);
    boolean hidden = setting.isSecret() && !value.text().isEmpty();
    return new SettingReport(
        setting.variables(),
        setting.description(),
        setting.defaultText(),
        hidden ? "(set)" : value.text(),
        value.source());
  }

  Map<String, Object> toMap() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("variables", variables);
    map.put("description", description);
    map.put("default", defaultText.isEmpty() ? null : defaultText);
    map.put("value", value.isEmpty() ? null : value);
    map.put("source", source);
    return map;
  }
}
