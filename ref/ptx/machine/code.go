package machine

// instr is an instruction, decoded: its operands are slots of the machine's
// registers, in which constants have their places too.
type instr struct {
	op         opcode
	shift      uint8 // 64 less the bits of its operands, where they are signed
	size       uint8 // of an access to memory, in bytes
	align      uint8 // what the address must be a multiple of
	x          uint8 // what an instruction of a family does
	d, a, b, c int32
	mask       uint64 // the bits of its result
	imm        uint64
	access     *Access
}

// opcode says what an instruction does.
type opcode uint8

const (
	opNone opcode = iota
	opMove
	opExtend       // sign-extended from shift, then masked
	opMask         // a & mask
	opPack         // a | b<<imm
	opUnpack       // a>>imm & mask
	opAdd          // also opSub, opMul: & mask
	opSub          //
	opMul          //
	opMulAdd       //
	opMulSigned    // both operands extended
	opMulHigh      //
	opMulHighS     //
	opMul24        // x: 1 signed, 2 high
	opAddCarry     // x: 1 takes the carry, 2 leaves one
	opSubCarry     //
	opAddSat       // 32 bits
	opSubSat       //
	opNegate       //
	opAbsolute     //
	opMin          //
	opMax          //
	opMinS         //
	opMaxS         //
	opDifference   // c + |a-b|
	opDifferenceS  //
	opDivide       //
	opDivideS      //
	opRemainder    //
	opRemainderS   //
	opAnd          //
	opOr           //
	opXor          //
	opShiftLeft    //
	opShiftRight   //
	opShiftRightS  //
	opFunnel       // x: 1 left, 2 wrap
	opLookUp       // imm: the table
	opPermute      // x: the mode
	opExtract      // x: 1 signed
	opInsert       // imm: slot of the fourth operand
	opFindTop      // x: 1 signed, 2 amount
	opBitMask      // x: 1 wrap
	opCount        //
	opLeadingZeros // of the bits that shift leaves
	opReverse      //
	opEqual        // 1 or 0
	opNotEqual     //
	opLess         //
	opLessEqual    //
	opLessS        //
	opLessEqualS   //
	opSelect       // c ? a : b
	opSelectS      // c, signed, >= 0 ? a : b
	opSaturate     // shift and x (1: signed) of the source; imm the same of the result
	opIsSpace      // imm: a space
	opClock        // x: a clock
	opSleep        //
	opActive       // imm: as opTogether
	opBranch       // to imm
	opBranchIf     // a
	opBranchIfNot  //
	opBranchTable  // imm: which table
	opCall         // imm: where to
	opEnter        // imm: which function
	opReturn       //
	opExit         //
	opTrap         //
	opCopy         // imm bytes of private memory from a to d; no slots
	opLoadPrivate  // at imm
	opStorePrivate //
	opLoadAt       // private memory at a+imm
	opStoreAt      //
	opLoadConst    //
	opLoad         // anywhere else, or generic
	opStore        //
	opUpdate       //
	opFence        //
	opTogether     // imm: of which of the instructions that lanes do together
)

// The flags of x.
const (
	xSigned = 1
	xHigh   = 2
	xTakes  = 1
	xLeaves = 2
	xLeft   = 1
	xWrap   = 2
	xAmount = 2
	xGuard  = 1 // of a branch: it leaves out one instruction, as its guard says
	xGlobal = 1 // of a load or store: not in the local space, though generic could be
)

// The clocks.
const (
	clockInstructions = iota // %clock, %clock64
	clockNanoseconds         // %globaltimer
)
