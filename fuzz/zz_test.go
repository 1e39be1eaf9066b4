package fuzz
import ("testing";"fmt";"os")
func BenchmarkZZ(b *testing.B){
 for _, prog := range []string{"0: push push push pop pop\n1: steal steal\n2: steal", "0: push push push pop pop pop\n1: steal steal\n2: steal steal"} {
 for _, jobs := range []int{1,2} {
 for _, part := range []int{0, 1<<40, 100} {
 for _, all := range []bool{false,true} {
 if all && part>0 {continue}
 if os.Getenv("ALL")=="" && all {continue}
 s:=mustSetup(b,"abp",prog)
 r:=exhaust(b, &Exhaust{Setup:s,Jobs:jobs,AllHistories:all,splitAfter:part})
 fmt.Println(jobs,part,all,r.Verdict,r.Executions,r.Cut,r.Histories,r.Elapsed, float64(r.Executions)/r.Elapsed.Seconds())
 }}}}
}
