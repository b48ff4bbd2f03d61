import org.HdrHistogram.*;
import java.io.*;
import java.util.*;
public class Make {
  static long next(Random r) { double v = 1e6*Math.exp(0.5*r.nextGaussian()); if (r.nextInt(200)==0) v += 2e7*r.nextDouble(); return (long)v; }
  static void log(String name, long div, double ratio, boolean tag) throws Exception {
    Random r = new Random(1);
    HistogramLogWriter w = new HistogramLogWriter(new PrintStream(name));
    w.outputComment("[Logged by Make.java]"); w.outputLogFormatVersion();
    w.setBaseTime(1795276000000L); w.outputBaseTime(1795276000000L); w.outputStartTime(1795276000000L); w.outputLegend();
    Histogram all = new Histogram(3);
    for (int i = 0; i < 4; i++) {
      Histogram h = new Histogram(3);
      for (int k = 0; k < 5000; k++) h.recordValue(next(r)/div);
      h.setStartTimeStamp(1795276000000L + 1000*i); h.setEndTimeStamp(1795276000000L + 1000*(i+1));
      w.outputIntervalHistogram(h.getStartTimeStamp()/1000.0, h.getEndTimeStamp()/1000.0, h, ratio); if (tag) { h.setTag("write"); w.outputIntervalHistogram(h.getStartTimeStamp()/1000.0, h.getEndTimeStamp()/1000.0, h, ratio); }
      all.add(h);
    }
    for (double p : new double[]{50,90,99,99.9}) System.out.println(name+" p"+p+" "+all.getValueAtPercentile(p));
    System.out.println(name+" total "+all.getTotalCount()+" max "+all.getMaxValue()+" mean "+all.getMean());
    if (div==1 && !tag) all.outputPercentileDistribution(new PrintStream("percentiles.hgrm"), 5, 1e6);
  }
  public static void main(String[] a) throws Exception {
    log("ns.hlog", 1, 1e6, false); log("tagged.hlog", 1, 1e6, true);
    log("us.hlog", 1000, 1e3, false);
    // wrk2's form, with latencies in us of 27 buckets, 3 digits.
    Random r = new Random(2);
    Histogram c = new Histogram(1, 3600000000L, 3), u = new Histogram(1, 3600000000L, 3);
    for (int k = 0; k < 20000; k++) { long v = next(r)/1000; u.recordValue(v); c.recordValue(v+r.nextInt(1000)); }
    PrintStream o = new PrintStream("wrk2.txt");
    o.print("Running 30s test @ http://127.0.0.1:18471/\n  2 threads and 10 connections\n  Thread calibration: mean lat.: 1.693ms, rate sampling interval: 10ms\n  Thread calibration: mean lat.: 1.702ms, rate sampling interval: 10ms\n  Thread Stats   Avg      Stdev     Max   +/- Stdev\n    Latency     1.70ms    1.63ms  21.60ms   97.00%\n    Req/Sec   526.11     90.12   777.00     70.00%\n");
    for (Histogram h : new Histogram[]{c, u}) {
      o.print(h==c ? "  Latency Distribution (HdrHistogram - Recorded Latency)\n" : "\n  Latency Distribution (HdrHistogram - Uncorrected Latency (measured without taking delayed starts into account))\n");
      for (double p : new double[]{50,75,90,99,99.9,99.99,99.999,100}) {
        double v = h.getValueAtPercentile(p);
        o.print(String.format("%7.3f%%  %8s\n", p, v>=1000 ? String.format("%.2fms", v/1000) : String.format("%.2fus", v)));
      }
      o.print("\n  Detailed Percentile spectrum:\n");
      ByteArrayOutputStream b = new ByteArrayOutputStream();
      h.outputPercentileDistribution(new PrintStream(b), 5, 1000.0);
      for (String l : b.toString().split("\n")) {
        if (l.matches(" *[\\d.]+ +[\\d.]+ .*")) {
          String[] f = l.trim().split(" +");
          l = String.format("%12.3f %12.6f %12s %12s", Double.parseDouble(f[0]), Double.parseDouble(f[1]), f[2], f.length>3? f[3] : "inf");
        }
        o.print(l.replace("     Value     Percentile TotalCount 1/(1-Percentile)", "  Value   Percentile   TotalCount 1/(1-Percentile)")+"\n");
      }
      o.print("----------------------------------------------------------\n");
    }
    o.print("  30012 requests in 30.00s, 3.49MB read\n  Non-2xx or 3xx responses: 12\nRequests/sec:   1000.38\nTransfer/sec:    119.20KB\n");
    for (double p : new double[]{50,90,99,99.9}) System.out.println("wrk2 p"+p+" "+c.getValueAtPercentile(p));
  }
}
