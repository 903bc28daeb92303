package dev.headrace.ray;

/**
 * A program that a driver runs on a worker when a rank does not start: prints {@code ok} and the Java version if this
 * JVM takes its options and can load the rank's class. Otherwise the JVM itself says on standard error what is wrong.
 */
public final class JavaCheck {

    private JavaCheck() {}

    public static void main(String[] arguments) throws ClassNotFoundException {
        Class.forName("dev.headrace.ray.RankActor");
        System.out.println("ok " + Runtime.version());
    }
}
