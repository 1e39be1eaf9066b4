package instances

import (
	"fmt"
	"strings"
)

// Words is how many words of 64 bits an instance reads, and Results how many it
// writes.
const (
	Words   = 4
	Results = 2
)

// Module is a PTX module with a kernel for every form, named by Kernel. Block i reads
// Words words from its first parameter on, and writes Results words to where the
// second leads.
func Module(forms []Form) string {
	var b strings.Builder
	b.WriteString(".version 7.6\n.target sm_70\n.address_size 64\n")
	for i := range forms {
		writeKernel(&b, Kernel(i), &forms[i], "mov.u32 %block, %ctaid.x;")
	}
	return b.String()
}

// WarpModule is the same for blocks of a warp, each lane of which is an instance.
func WarpModule(forms []Form) string {
	var b strings.Builder
	b.WriteString(".version 7.6\n.target sm_80\n.address_size 64\n")
	for i := range forms {
		writeKernel(&b, Kernel(i), &forms[i], "mov.u32 %block, %ctaid.x; mov.u32 %half, %tid.x; mad.lo.u32 %block, %block, 32, %half;")
	}
	return b.String()
}

// Kernel is the name of the kernel of the form with a number.
func Kernel(form int) string { return fmt.Sprintf("form%d", form) }

func writeKernel(b *strings.Builder, name string, f *Form, number string) {
	line := func(format string, args ...any) { fmt.Fprintf(b, "\t"+format+"\n", args...) }
	fmt.Fprintf(b, "\n// %s\n.visible .entry %s(.param .u64 %s_in, .param .u64 %s_out)\n{\n", f.Name(), name, name, name)
	for i, bits := range f.Operands {
		line(".reg %s %s;", registerType(bits), letters[i])
	}
	for i, bits := range f.Results {
		line(".reg %s d%d;", registerType(bits), i)
	}
	line(".reg .b64 %%in, %%out, %%index, %%word;")
	line(".reg .b32 %%block, %%half;")
	line(".reg .pred %%odd;")
	if strings.Contains(f.Text, "%local") {
		line(".local .align 8 .b8 %%local[8];")
	}
	line("%s", number)
	line("ld.param.u64 %%in, [%s_in];", name)
	line("ld.param.u64 %%out, [%s_out];", name)
	line("mul.wide.u32 %%index, %%block, %d;", 8*Words)
	line("add.u64 %%in, %%in, %%index;")
	line("mul.wide.u32 %%index, %%block, %d;", 8*Results)
	line("add.u64 %%out, %%out, %%index;")
	for i, bits := range f.Operands {
		line("ld.global.b64 %%word, [%%in+%d];", 8*i)
		switch bits {
		case 1:
			line("cvt.u32.u64 %%half, %%word;")
			line("and.b32 %%half, %%half, 1;")
			line("setp.ne.u32 %s, %%half, 0;", letters[i])
		case 64:
			line("mov.b64 %s, %%word;", letters[i])
		default:
			line("cvt.u%d.u64 %s, %%word;", bits, letters[i])
		}
	}
	line("%s", f.text())
	for i := range Results {
		switch {
		case i >= len(f.Results):
			line("mov.b64 %%word, 0;")
		case f.Results[i] == 1:
			line("selp.b64 %%word, 1, 0, d%d;", i)
		case f.Results[i] == 64:
			line("mov.b64 %%word, d%d;", i)
		default:
			line("cvt.u64.u%d %%word, d%d;", f.Results[i], i)
		}
		line("st.global.b64 [%%out+%d], %%word;", 8*i)
	}
	line("ret;")
	b.WriteString("}\n")
}

func registerType(bits int) string {
	if bits == 1 {
		return ".pred"
	}
	return fmt.Sprintf(".b%d", bits)
}
