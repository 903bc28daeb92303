package dev.headrace.bench;

import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Sizes as everywhere in Headrace: a number of bytes, or of k (1024), KiB, kB (1000) and so on. */
final class ByteSize implements ITypeConverter<Long> {
    private static final Pattern FORM = Pattern.compile("(\\d+(?:\\.\\d+)?) *([a-z]*)");
    private static final Map<String, Double> UNITS = Map.ofEntries(
            Map.entry("", 1.0),
            Map.entry("b", 1.0),
            Map.entry("k", 0x1p10),
            Map.entry("kib", 0x1p10),
            Map.entry("kb", 1e3),
            Map.entry("m", 0x1p20),
            Map.entry("mib", 0x1p20),
            Map.entry("mb", 1e6),
            Map.entry("g", 0x1p30),
            Map.entry("gib", 0x1p30),
            Map.entry("gb", 1e9),
            Map.entry("t", 0x1p40),
            Map.entry("tib", 0x1p40),
            Map.entry("tb", 1e12));

    @Override
    public Long convert(String text) {
        Matcher matcher = FORM.matcher(text.strip().toLowerCase(Locale.ROOT));
        Double unit = matcher.matches() ? UNITS.get(matcher.group(2)) : null;
        if (unit == null) {
            throw new TypeConversionException("'" + text + "' is not a size such as 256MiB");
        }
        return Math.round(Double.parseDouble(matcher.group(1)) * unit);
    }

    /** In words: 1.5 GiB. */
    static String shown(long bytes) {
        String[] names = {"B", "KiB", "MiB", "GiB", "TiB"};
        double amount = bytes;
        int name = 0;
        while (amount >= 1024 && name < names.length - 1) {
            amount /= 1024;
            name++;
        }
        return String.format(Locale.ROOT, name == 0 ? "%.0f %s" : "%.2f %s", amount, names[name]);
    }
}
